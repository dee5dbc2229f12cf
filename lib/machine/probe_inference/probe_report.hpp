// What the measuring program tells `kith probe`, as lines of text: launchers pass rank 0's output
// on, wherever it runs, but may put words before a line and other programs' lines between.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "machine/probe_inference/measured_network.hpp"

namespace kith::probe {

struct Report {
  std::uint32_t ranks = 0;
  double seconds = 0;        ///< that measuring took
  bool out_of_time = false;  ///< not all was measured that should have been
  NetworkMeasurements measured;
};

/// One line, to be printed at once, for a person who waits.
std::string progress_line(std::string_view doing);

/// The first line, printed when all ranks have met.
std::string begin_line(std::uint32_t ranks);

/// All else.
std::string report_text(const Report& report);

/// Puts a report together from lines.
class ReportReader {
 public:
  /// What a line was.
  enum class Line { other, progress, begin, part };
  /// One line without its end. Throws Error (environment) for a damaged one.
  Line take(std::string_view line);

  /// Of the last progress line.
  const std::string& doing() const { return doing_; }
  /// How many programs said that they begin: more than one where ranks do not know of each other.
  unsigned begun() const { return begun_; }
  /// Once its end has been read, and all lines before it.
  bool complete() const { return complete_; }
  const Report& report() const { return report_; }

 private:
  void take_part(std::string_view kind, std::string_view rest);

  Report report_;
  std::string doing_;
  unsigned begun_ = 0;
  std::uint64_t lines_ = 0;
  bool complete_ = false;
};

}  // namespace kith::probe
