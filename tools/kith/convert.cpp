// kith convert: from one matrix format to another.
#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "inputs.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace kith::tools {

namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::optional<MatrixFormat> from;
  std::optional<MatrixFormat> to;
};

TrafficMatrix read_input(const ConvertOptions& options) {
  const Progress progress("reading " + options.input);
  if (options.from) return read_matrix(options.input, *options.from);
  return read_named_trace(options.input).bytes;
}

void run_convert(const ConvertOptions& options) {
  const MatrixFormat to = writable_format(options.output, options.to, "--to");
  const TrafficMatrix matrix = read_input(options);
  const Progress progress("writing " + options.output);
  write_matrix(options.output, matrix, to);
}

}  // namespace

std::function<void()> set_up_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  app.description(
      "Writes the matrix of a trace, or of a file of another program, in the format that the "
      "next program reads.");
  app.add_option("IN", options->input, "A matrix file or a trace (then its bytes)")
      ->required()
      ->type_name("FILE");
  app.add_option("OUT", options->output, "The file to write")->required()->type_name("");
  add_matrix_format_option(app, "--from", options->from,
                           "Format of IN; without it, by the name's ending or the content")
      ->type_name("mtx|csv|dense|metis|scotch|prof");
  add_matrix_format_option(app, "--to", options->to,
                           "Format of OUT; without it, by the name's ending")
      ->type_name("mtx|csv|dense|metis|scotch");
  app.footer(
      "The graphs of METIS and Scotch are undirected: a pair's total, once.\n"
      "Examples:\n"
      "  kith convert app.kith app.csv                # for EagerMap\n"
      "  kith convert app.kith app.graph              # for METIS\n"
      "  kith convert matrix.data app.mtx --from dense");
  return [options] { run_convert(*options); };
}

}  // namespace kith::tools
