// kith report: a page that shows where the traffic is and what an order makes of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "report/heat_picture.hpp"
#include "report/page.hpp"
#include "report/picture.hpp"
#include "report/report_json.hpp"
#include "reporting/png.hpp"
#include "reporting/report.hpp"

namespace kith::tools {
namespace {

constexpr std::uint64_t most_page_bytes = 4'500'000;
/// The few numbers that are only known with the matrices.
constexpr std::uint64_t slack_bytes = 16384;
/// A cell is some 16 bytes of SVG.
constexpr PictureLimits svg_limits{128, 100'000};
constexpr PictureLimits png_limits{512, 4'000'000};

void check_outputs(const ReportCommand& command) {
  if (!command.page && !command.svg && !command.png && !command.json) {
    throw bad_input("kith report", "-o PAGE.html, --svg FILE, --png FILE or --json", "none");
  }
  for (const std::string picture : {".png", ".svg"}) {
    if (!command.page || !command.page->ends_with(picture)) continue;
    throw bad_input("-o", fmt::format("a page (--{} FILE is the picture alone)", picture.substr(1)),
                    "'" + *command.page + "'");
  }
}

/// Nothing where neither the command nor the trace names one, and no mapping needs it.
std::unique_ptr<Machine> report_machine(const ReportCommand& command, const Traffic& traffic) {
  const Trace& trace = traffic.trace;
  if (!command.machine.topology && !trace.job && command.mappings.empty()) return nullptr;
  auto machine = find_machine(command.machine, trace);
  if (command.mappings.empty()) {
    check_room(traffic.graph.ranks(), *machine, 1, "a --mapping that puts several on a slot");
  }
  return machine;
}

void add_messages(const TrafficMatrix& messages, ReportData& data) {
  data.totals.messages = messages.total(true);
  for (Talker& pair : data.talkers) {
    pair.messages = messages.at(pair.a, pair.b) + messages.at(pair.b, pair.a);
  }
}

/// The heatmaps as asked for, each file written whole.
void write_pictures(const ReportCommand& command, const Traffic& traffic, const ReportData& data) {
  const HeatRequest request{"all", traffic.trace.bytes};
  const ScaleKind scale = command.linear ? ScaleKind::linear : ScaleKind::logarithmic;
  if (command.svg) {
    write_file_atomically(*command.svg, svg_text(heat_picture(data, request, scale, svg_limits)));
  }
  if (command.png) {
    write_file_atomically(*command.png, png_bytes(heat_picture(data, request, scale, png_limits)));
  }
}

void run_report(const ReportCommand& command) {
  check_outputs(command);
  const Traffic traffic = read_traffic(command.trace);
  const auto machine = report_machine(command, traffic);
  ReportData data;
  add_trace_views(traffic, data);
  if (command.page || command.json) add_time(traffic.trace, data);
  std::optional<TrafficMatrix> messages;
  if (traffic.trace.meta) messages = read_trace_part(traffic.trace, trace_names::messages);
  std::optional<ReorderDecision> decision;
  if (machine) {
    decision = add_orders(command, traffic, *machine, data);
  } else {
    add_order_by_rank(traffic, data);
  }
  if (messages) add_messages(*messages, data);
  if (machine && (command.page || command.json)) add_seconds(command, traffic, *machine, data);
  add_threads(traffic.trace, data);
  data.summary = summary_words(command, data, decision);
  std::optional<MachineLevels> levels;
  if (machine) levels.emplace(*machine);
  const std::uint64_t fixed =
      page_bytes_without_data(data) + report_json(data).size() + slack_bytes;
  add_matrices(traffic, messages ? &*messages : nullptr, levels ? &*levels : nullptr,
               fixed < most_page_bytes ? most_page_bytes - fixed : 0, data);
  const std::string json = report_json(data);
  if (command.page) {
    write_file_atomically(*command.page, report_page(data, json));
    if (*command.page != "-") tell(fmt::format("{}: open it in a browser", *command.page));
  }
  write_pictures(command, traffic, data);
  for (const auto& picture : {command.svg, command.png}) {
    if (picture && *picture != "-") tell("written: " + *picture);
  }
  if (command.json) print(json);
}

}  // namespace

std::function<void()> set_up_report(CLI::App& app) {
  const auto command = std::make_shared<ReportCommand>();
  app.description(
      "Makes a page, one file for any browser, that shows where the traffic of a trace is, what "
      "the machine looks like, and what a better order would make of it: the present order, Kith's "
      "own (as a job makes it at its start: by network-time on several hosts, unless --objective "
      "says otherwise) and each mapping side by side; where the trace has a timeline, in seconds "
      "too.");
  add_trace_argument(app, command->trace);
  add_machine_options(app, command->machine);
  app.add_option("--mapping", command->mappings,
                 "A mapping to compare with the present order; may be given again")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_objective_option(app, command->goal,
                       "of Kith's order: network-time on a machine of several nodes, as in a job, "
                       "else that of kith map");
  add_choice(app, "--effort", command->effort, efforts(),
             "How hard to look for a better order (default fast, as in a job)");
  add_threads_option(app, command->threads);
  app.add_option("-o", command->page, "The page: one HTML file that needs nothing beside it")
      ->type_name("PAGE.html");
  app.add_option("--svg", command->svg, "The heatmaps alone, side by side, as SVG")
      ->type_name("FILE");
  app.add_option("--png", command->png, "The same as PNG")->type_name("FILE");
  app.add_flag("--linear", command->linear,
               "Colours of --svg and --png in proportion to bytes (default: to their logarithm)");
  app.add_flag("--json", command->json, "What the page shows as one JSON document");
  put_in_group(app, input_group, {"--mapping"});
  put_in_group(app, search_group, {"--objective", "--effort", "--threads"});
  put_in_group(app, output_group, {"-o", "--svg", "--png", "--linear", "--json"});
  app.footer(
      "Examples:\n"
      "  kith report app.kith -o app.html             # open it in any browser\n"
      "  kith report app.kith --topology tree:4x2x8 --mapping app.map -o app.html\n"
      "  kith report app.kith --svg app.svg           # the heatmaps for a paper");
  return [command] { run_report(*command); };
}

}  // namespace kith::tools
