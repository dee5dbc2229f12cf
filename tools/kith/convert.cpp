// kith convert: a matrix from one format to another, or a timeline for a program that replays or
// shows it.
#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "convert_timeline.hpp"
#include "core/did_you_mean.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace kith::tools {

namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::optional<MatrixFormat> from;
  std::optional<MatrixFormat> to;
  TimelineConversion timeline;
};

void parse_to(ConvertOptions& options, const std::string& text) {
  options.timeline.to = timeline_format(text);
  if (options.timeline.to) return;
  try {
    options.to = parse_matrix_format(text, "--to");
  } catch (const Error&) {
    const std::vector<std::string> known{"mtx",    "csv",  "dense", "metis",
                                         "scotch", "smpi", "goal",  "perfetto"};
    throw bad_input("--to", "one of mtx, csv, dense, metis, scotch, smpi, goal, perfetto",
                    "'" + text + "'" + did_you_mean(text, known));
  }
}

TrafficMatrix read_input(const ConvertOptions& options) {
  const Progress progress("reading " + options.input);
  if (options.from) return read_matrix(options.input, *options.from);
  return read_named_trace(options.input).bytes;
}

void run_convert(const ConvertOptions& options) {
  if (options.timeline.to) {
    if (options.from) throw bad_input("--from", "a trace, without --from", "a format of a matrix");
    convert_timeline(options.input, options.output, options.timeline);
    return;
  }
  refuse_timeline_options(options.timeline);
  if (!options.to && options.output.ends_with(".json")) {
    throw bad_input("--to", "perfetto for a .json, or another format", "none");
  }
  const MatrixFormat to = writable_format(options.output, options.to, "--to",
                                          "; of what ranks did: smpi, goal or perfetto");
  const TrafficMatrix matrix = read_input(options);
  const Progress progress("writing " + options.output);
  write_matrix(options.output, matrix, to);
}

}  // namespace

std::function<void()> set_up_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  app.description(
      "Writes the matrix of a trace, or of a file of another program, in the format that the "
      "next program reads. With --to smpi, goal or perfetto: what every rank did in which order, "
      "from the timeline of a trace.");
  app.add_option("IN", options->input, "A matrix file or a trace (then its bytes)")
      ->required()
      ->type_name("FILE");
  app.add_option("OUT,-o", options->output,
                 "The file to write; with --to smpi a new folder (-o OUT is the same)")
      ->required()
      ->type_name("");
  add_matrix_format_option(app, "--from", options->from,
                           "Format of IN; without it, by the name's ending or the content")
      ->type_name("mtx|csv|dense|metis|scotch|prof");
  const auto take_to = [options](const std::string& text) { parse_to(*options, text); };
  add_value(app, "--to", take_to, "Format of OUT; without it, by the name's ending")
      ->type_name("mtx|csv|dense|metis|scotch|smpi|goal|perfetto");
  add_timeline_options(app, options->timeline);
  app.footer(
      "The graphs of METIS and Scotch are undirected: a pair's total, once.\n"
      "Examples:\n"
      "  kith convert app.kith app.csv                # for EagerMap: the last rank's row first\n"
      "  kith convert app.kith app.graph              # for METIS\n"
      "  kith convert matrix.data app.mtx --from dense\n"
      "  kith convert app.kith replay --to smpi       # for smpirun -replay replay/index\n"
      "  kith convert app.kith app.goal --to goal     # for LogGOPSim and ATLAHS\n"
      "  kith convert app.kith app.json --to perfetto # opens in ui.perfetto.dev");
  return [options] { run_convert(*options); };
}

}  // namespace kith::tools
