#include "convert_timeline.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "core/fd_writer.hpp"
#include "core/plain_text.hpp"
#include "inputs.hpp"
#include "io/atomic_file.hpp"
#include "io/format/json_text.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "timeline/convert/convert.hpp"
#include "timeline/convert/message_arrows.hpp"

namespace kith::tools {
namespace {

constexpr double longest_run = 1e9;  // seconds

std::filesystem::path directory_of(const std::string& name) {
  if (const auto found = find_timeline(name)) return *found;
  read_named_trace(name);  // says what is there instead
  throw bad_input(name, "a trace with a timeline", "a matrix");
}

void refuse(bool given, std::string_view option, std::string_view with) {
  if (given) throw bad_input(option, with, "a conversion to another format");
}

void tell_report(const timeline::ConversionReport& report) {
  if (report.omitted_events > 0) {
    tell(
        fmt::format("{} operations are not in the timeline (KITH_TIMELINE_MEMORY) and not in the "
                    "replay: it may wait for messages that nobody sends",
                    report.omitted_events));
  }
  if (report.missing_ranks > 0) {
    tell(fmt::format("{} without a timeline: nothing of them is in the replay",
                     number_of(report.missing_ranks, "rank")));
  }
  if (report.left_out_messages > 0) {
    tell(fmt::format("left out {} messages whose other end is outside the timeline",
                     report.left_out_messages));
  }
  if (report.threaded_ranks > 0) {
    tell(
        fmt::format("the threads of {} became one each: their operations follow each other "
                    "in the order of their times",
                    number_of(report.threaded_ranks, "rank")));
  }
}

/// The file appears whole or not at all.
template <class Write>
auto write_text(const std::string& output, Write&& write) {
  AtomicFile file(output);
  FdWriter text(file.fd());
  auto report = write(text);
  if (!text.flush()) file.fail(text.error());
  file.commit();
  return report;
}

/// As they stand in a JSON string; none for a profile, which has no phases.
std::vector<std::string> phases_of(const std::string& trace) {
  std::vector<std::string> names;
  if (!find_trace(trace)) return names;
  const Trace named = read_trace(trace);
  if (!named.meta) return names;
  for (const TracePhase& phase : named.meta->phases) {
    std::string text = JsonText().value(phase.name).take();
    names.push_back(text.substr(1, text.rfind('"') - 1));
  }
  return names;
}

void write_perfetto(timeline::TimelineFiles& files, const std::string& trace,
                    const std::string& output, const TimelineConversion& conversion) {
  timeline::ChromeTraceOptions options;
  options.phases = phases_of(trace);
  options.from = conversion.from_time.value_or(options.from);
  options.to = conversion.to_time.value_or(options.to);
  options.most_slices = conversion.slices.value_or(options.most_slices);
  if (options.to < options.from) {
    throw bad_input("--to-time", fmt::format("at least --from-time, {} s", options.from),
                    fmt::format("{} s", options.to));
  }
  const timeline::ChromeTraceReport report = write_text(
      output, [&](FdWriter& text) { return timeline::write_chrome_trace(files, text, options); });
  if (report.follows_messages) {
    tell("passes of a loop have their mean times: an arrow may seem to arrive before it begins");
  } else {
    tell(fmt::format("no arrows from sends to receives: the ranks have more than {} operations",
                     timeline::most_followed_operations));
  }
  if (report.cut_ranks == 0) {
    return tell(fmt::format("{} slices written; open {} in ui.perfetto.dev", report.slices,
                            output == "-" ? "them" : output));
  }
  tell(fmt::format(
      "{} slices written; {} have more than their share of the {} that --slices allows: "
      "all of them are shown until {:.6f} s, others beyond (--from-time and --to-time "
      "choose the time)",
      report.slices, number_of(report.cut_ranks, "rank"), options.most_slices, report.whole_until));
}

}  // namespace

std::optional<TimelineFormat> timeline_format(std::string_view word) {
  if (word == "smpi") return TimelineFormat::smpi;
  if (word == "goal") return TimelineFormat::goal;
  if (word == "perfetto") return TimelineFormat::perfetto;
  return std::nullopt;
}

void add_timeline_options(CLI::App& app, TimelineConversion& conversion) {
  add_choice(app, "--collectives", conversion.collectives,
             {{"messages", CollectiveForm::messages}, {"native", CollectiveForm::native}},
             "With --to smpi: collectives as the messages that the MPI library sent (default), or "
             "as SimGrid's own where they are over the whole world");
  add_real(app, "--from-time", conversion.from_time,
           "With --to perfetto: seconds after MPI_Init from which operations are shown",
           longest_run)
      ->type_name("S");
  add_real(app, "--to-time", conversion.to_time, "... and until which", longest_run)
      ->type_name("S");
  add_number(app, "--slices", conversion.slices,
             "With --to perfetto: the most operations that are written, of all ranks (default "
             "1000000); loops are unrolled until then",
             1)
      ->type_name("N");
}

void refuse_timeline_options(const TimelineConversion& conversion) {
  const std::optional<TimelineFormat> to = conversion.to;
  refuse(conversion.collectives && to != TimelineFormat::smpi, "--collectives", "--to smpi");
  const bool shown = to == TimelineFormat::perfetto;
  refuse(conversion.from_time && !shown, "--from-time", "--to perfetto");
  refuse(conversion.to_time && !shown, "--to-time", "--to perfetto");
  refuse(conversion.slices && !shown, "--slices", "--to perfetto");
}

void convert_timeline(const std::string& trace, const std::string& output,
                      const TimelineConversion& conversion) {
  refuse_timeline_options(conversion);
  if (output == "-" && conversion.to == TimelineFormat::smpi) {
    throw bad_input("OUT", "a new folder, with --to smpi", "'-'");
  }
  const Progress progress("writing " + output);
  timeline::TimelineFiles files(directory_of(trace));
  switch (*conversion.to) {
    case TimelineFormat::smpi: {
      const bool native = conversion.collectives == CollectiveForm::native;
      tell_report(timeline::write_simgrid_traces(
          files, output,
          native ? timeline::CollectivesAs::native : timeline::CollectivesAs::messages));
      return;
    }
    case TimelineFormat::goal:
      tell_report(
          write_text(output, [&](FdWriter& text) { return timeline::write_goal(files, text); }));
      return;
    case TimelineFormat::perfetto:
      write_perfetto(files, trace, output, conversion);
      return;
  }
}

}  // namespace kith::tools
