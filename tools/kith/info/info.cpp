// kith info: what a trace, a mapping or a matrix of threads contains.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "info/info_output.hpp"
#include "info/mapping_facts.hpp"
#include "inputs.hpp"
#include "io/format/json_text.hpp"
#include "io/format/places_text.hpp"
#include "io/thread_matrices.hpp"
#include "kith/error.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {
void tell_places(const Trace& trace, bool as_json) {
  if (!trace.job) {
    throw bad_input("--places", "a trace with a machine.json", trace.path.string());
  }
  const std::vector<PlacedRank> places = placed_ranks(*trace.job);
  if (!as_json) {
    print(places_text(places));
    return;
  }
  JsonText json;
  put_places(json, places);
  print(json.take());
}

struct InfoOptions {
  std::string trace;
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
  bool places = false;
  bool picture = false;
};

void run_info(const InfoOptions& options) {
  const Terminal terminal = terminal_of(STDOUT_FILENO, options.color);
  if (options.picture && (options.json || options.places)) {
    throw bad_input("--picture", "neither --json nor --places with it", "both");
  }
  if (!options.places && calls_itself_mapping(options.trace)) {
    return print(mapping_facts(options.trace, options.json));
  }
  const Traffic traffic = read_traffic(options.trace);
  if (options.places) return tell_places(traffic.trace, options.json);
  Progress progress("looking through " + options.trace);
  const Facts facts = find_facts(traffic);
  if (options.json && facts.damage) throw *facts.damage;
  if (options.json) return print(info_json(traffic.trace, facts));
  const std::string comment = thread_matrix_comment(options.trace);
  std::string text = comment.empty() ? info_text(options.trace, traffic.trace, facts)
                                     : thread_info_text(traffic.trace, facts, comment);
  if (options.picture || terminal.is_terminal) {
    const std::string picture = heatmap(traffic.trace.bytes, terminal);
    if (!picture.empty()) text += '\n' + picture;
  }
  print(text);
  if (facts.damage) throw *facts.damage;
}

}  // namespace

std::function<void()> set_up_info(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  app.description(
      "Tells what a trace contains: how much was sent and in which ways, who talks most to "
      "whom, which grid the pattern is, which phases the program had, where its time went, who "
      "waited for whom, who sat where; and what a mapping, or a matrix of threads, says. At a "
      "terminal a picture shows it: the heavier the tile, the more these ranks sent to those.");
  add_trace_argument(app, options->trace);
  app.add_flag(
      "--picture", options->picture,
      "A picture of who sends how much to whom also where standard output is not a terminal");
  add_color_option(app, options->color);
  app.add_flag("--json", options->json, "One JSON document");
  app.add_flag(
      "--places", options->places,
      "Only who sat where: rank, launcher's rank, host, place among the ranks of the host, "
      "and the CPUs that it was bound to");
  put_in_group(app, output_group, {"--picture", "--color", "--json", "--places"});
  app.footer(
      "How like two phases are is the cosine between their byte matrices: 100% where one is a "
      "multiple of the other, nothing where they have no pair of ranks in common. Below 90% phases "
      "differ; of those with less than 5% of the bytes nothing is said.\n"
      "Ranks enter and leave a phase at different times: the phases' times may add up to more than "
      "the run's.\n"
      "Structure is the grid whose stencil explains the traffic, whatever order the ranks have.\n"
      "Of a trace without a timeline, load is the CPU time outside MPI: a rank that waits burns "
      "its "
      "time inside.\n"
      "Times come from the timeline of the trace: the first pass of a loop as measured, all others "
      "by their mean. A rank waits for those whose messages its receives and waits complete; where "
      "one wait completes several messages, their senders share its time.\n"
      "Simulated is the run as recorded, beside what was measured (kith predict), where that takes "
      "no longer than a moment.\n"
      "Examples:\n"
      "  kith info app.kith\n"
      "  kith info app.kith --picture > app.txt\n"
      "  kith info matrix.mtx --json\n"
      "  kith info app.kith --places");
  return [options] { run_info(*options); };
}

}  // namespace kith::tools
