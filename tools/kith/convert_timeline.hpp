// The timeline of a trace for other programs: the part of `kith convert` that is about time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace kith::tools {

enum class TimelineFormat : std::uint8_t { smpi, goal, perfetto };
std::optional<TimelineFormat> timeline_format(std::string_view word);

enum class CollectiveForm : std::uint8_t { messages, native };

struct TimelineConversion {
  std::optional<TimelineFormat> to;
  std::optional<CollectiveForm> collectives;
  std::optional<double> from_time;
  std::optional<double> to_time;
  std::optional<std::uint64_t> slices;
};

void add_timeline_options(CLI::App& app, TimelineConversion& conversion);

/// Throws Error (input) where options are given that go with timelines only.
void refuse_timeline_options(const TimelineConversion& conversion);

/// Writes `output`, and tells what of the run is not in it. Throws Error (input) where `trace` has no
/// timeline.
void convert_timeline(const std::string& trace, const std::string& output,
                      const TimelineConversion& conversion);

}  // namespace kith::tools
