#include "report/report_json.hpp"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "io/format/json_text.hpp"
#include "objective/metric_table.hpp"

namespace kith {
namespace {

void put_numa_bytes(JsonText& json, const NumaBytes& bytes) {
  json.begin_object(JsonLayout::line);
  json.key("level").value(bytes.level);
  json.key("sum").value(bytes.sum);
  json.key("average").value(bytes.average);
  json.key("max").value(bytes.max);
  json.key("min").value(bytes.min);
  json.end_object();
}

/// Writes a MetricValue; what is not known is null.
struct ValueWriter {
  JsonText& json;

  void operator()(std::monostate) const { json.null(); }
  void operator()(std::uint64_t number) const { json.value(number); }
  void operator()(double number) const { json.value(number); }
  void operator()(const Quantity& quantity) const { put_quantity(json, quantity); }
  void operator()(const NumaBytes& bytes) const { put_numa_bytes(json, bytes); }
  void operator()(const std::vector<std::uint64_t>& list) const {
    if (list.empty()) {
      json.null();
      return;
    }
    json.begin_array(JsonLayout::line);
    for (const std::uint64_t bytes : list) json.value(bytes);
    json.end_array();
  }
};

}  // namespace

void put_quantity(JsonText& json, const Quantity& quantity) {
  if (quantity.integral()) {
    json.value(std::uint64_t{quantity.units / quantity.scale});
  } else {
    json.value(quantity.value());
  }
}

void put_metrics(JsonText& json, const Metrics& metrics) {
  json.begin_object();
  for (const Metric& metric : metric_table()) {
    json.key(metric.name);
    std::visit(ValueWriter{json}, metric.value(metrics));
  }
  json.end_object();
}

void put_cells(JsonText& json, const HeatLevel& level) {
  json.key("cells").begin_array();
  for (const HeatCell& cell : level.cells) {
    json.value(cell.row).value(cell.column).value(cell.bytes).value(cell.messages);
    json.value(cell.level);
  }
  json.end_array();
}

std::string base64_of(std::span<const std::uint32_t> numbers) {
  static constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * numbers.size());
  for (const std::uint32_t number : numbers) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(number >> shift));
    }
  }
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t given = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < given ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= given ? alphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

namespace {

constexpr int report_format = 1;
constexpr std::size_t most_text_bytes = 300;
constexpr std::size_t most_name_bytes = 80;
constexpr std::size_t most_listed_hosts = 256;  // of a wrong binding
/// What lists with an item for each rank may take: the places, and who stands where on the axes.
constexpr std::uint64_t most_list_bytes = 1'500'000;
constexpr std::uint32_t most_placed_ranks = 16384;

void put_text(JsonText& json, const char* key, const std::string& text) {
  if (!text.empty()) json.key(key).value(clipped(text, most_text_bytes));
}

template <class Value>
void put_known(JsonText& json, const char* key, const std::optional<Value>& value) {
  if (value) json.key(key).value(*value);
}

template <class Value>
void put_list(JsonText& json, const char* key, const std::vector<Value>& values) {
  json.key(key).begin_array();
  for (const Value value : values) json.value(value);
  json.end_array();
}

template <class Value>
void put_counts(JsonText& json, const char* key, const std::map<std::string, Value>& counts) {
  json.key(key).begin_object();
  for (const auto& [name, count] : counts) json.key(name).value(count);
  json.end_object();
}

void put_run(JsonText& json, const ReportRun& run) {
  json.key("run").begin_object();
  put_text(json, "program", run.program);
  put_text(json, "mpi", run.mpi);
  json.key("ranks").value(run.ranks);
  put_known(json, "hosts", run.hosts);
  json.key("partial").value(run.is_partial);
  put_text(json, "collectives", run.collectives);
  json.key("undirected").value(run.is_undirected);
  json.end_object();
}

void put_summary(JsonText& json, const ReportSummary& summary) {
  json.key("summary").begin_object();
  json.key("headline").value(summary.headline);
  json.key("sentences").begin_array();
  for (const std::string& sentence : summary.sentences) json.value(sentence);
  json.end_array();
  json.key("verdict").value(summary.verdict);
  json.end_object();
}

void put_missing(JsonText& json, const std::vector<MissingView>& missing) {
  json.key("missing").begin_array();
  for (const MissingView& one : missing) {
    json.begin_object().key("view").value(one.view).key("reason").value(one.reason).end_object();
  }
  json.end_array();
}

void put_totals(JsonText& json, const ReportTotals& totals) {
  json.key("totals").begin_object();
  json.key("bytes").value(totals.bytes).key("self_bytes").value(totals.self_bytes);
  put_known(json, "messages", totals.messages);
  json.key("pairs").value(totals.pairs);
  put_counts(json, "classes", totals.classes);
  json.key("exact").begin_object().key("bytes").value(std::to_string(totals.bytes));
  if (totals.messages) json.key("messages").value(std::to_string(*totals.messages));
  json.end_object().end_object();
}

void put_levels(JsonText& json, const std::vector<LevelFact>& levels) {
  json.key("levels").begin_array();
  for (const LevelFact& level : levels) {
    json.begin_object().key("name").value(clipped(level.name, most_name_bytes));
    json.key("count").value(level.objects);
    if (level.cost) put_quantity(json.key("cost"), *level.cost);
    json.end_object();
  }
  json.end_array();
}

void put_machine(JsonText& json, const ReportMachine& machine) {
  json.key("machine").begin_object();
  put_text(json, "spec", machine.spec);
  json.key("kind").value(machine.kind);
  json.key("slots").value(machine.slots).key("nodes").value(machine.nodes);
  put_levels(json, machine.levels);
  put_list(json, "dims", machine.dims);
  json.key("axis").begin_array();
  for (const AxisLevel& level : machine.axis) {
    json.begin_object().key("name").value(clipped(level.name, most_name_bytes));
    json.key("count").value(level.objects);
    if (level.is_host) json.key("host").value(true);
    json.end_object();
  }
  json.end_array();
  json.key("hosts").begin_array();
  for (const ReportHost& host : machine.hosts) {
    json.begin_object().key("name").value(clipped(host.name, most_name_bytes));
    json.key("node").value(host.node);
    json.key("first_slot").value(host.first_place).key("slots").value(host.places);
    json.end_object();
  }
  json.end_array();
  json.key("truncated").value(machine.hosts_left_out);
  if (!machine.slot_at.empty()) json.key("slot_at").value(base64_of(machine.slot_at));
  json.end_object();
}

void put_level(JsonText& json, const HeatLevel& level) {
  json.begin_object();
  json.key("block").value(level.block).key("side").value(level.side);
  put_cells(json, level);
  json.end_object();
}

void put_matrices(JsonText& json, const std::vector<HeatMatrix>& matrices) {
  json.key("matrices").begin_object();
  for (const HeatMatrix& matrix : matrices) {
    json.key(matrix.name).begin_object().key("levels").begin_array();
    for (const HeatLevel& level : matrix.levels) put_level(json, level);
    json.end_array().end_object();
  }
  json.end_object();
}

void put_hosts(JsonText& json, const HostTraffic& hosts) {
  json.key("hosts").begin_object();
  put_list(json, "out", hosts.out);
  put_list(json, "in", hosts.in);
  json.key("between").value(hosts.between);
  json.end_object();
}

/// Numbers that a script's own cannot hold exactly, as text.
void put_exact(JsonText& json, const ReportOrder& order) {
  json.key("exact").begin_object();
  for (const Metric& metric : metric_table()) {
    if (metric.label.empty()) continue;
    const MetricValue value = metric.value(*order.metrics);
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) {
      json.key(metric.name).value(std::to_string(*number));
    } else if (const auto* const quantity = std::get_if<Quantity>(&value)) {
      if (!quantity->integral()) continue;
      json.key(metric.name).value(std::to_string(quantity->units / quantity->scale));
    }
  }
  json.key("hosts_between").value(std::to_string(order.hosts.between));
  json.key("level_bytes").begin_array();
  for (const Weight bytes : order.level_bytes) json.value(std::to_string(bytes));
  json.end_array().end_object();
}

/// Which rank stands where on the axes: "ranks" (rank p at position p), "listed" (in rank_at) or
/// "positions" (too many to list).
void put_axis(JsonText& json, const RankAxis& axis, bool is_listed) {
  const bool is_identity = axis.is_identity();
  json.key("axis").value(is_identity ? "ranks" : is_listed ? "listed" : "positions");
  if (is_identity || !is_listed) return;
  std::vector<std::uint32_t> ranks;
  for (const Rank rank : axis.rank_at) ranks.push_back(rank.value);
  json.key("rank_at").value(base64_of(ranks));
}

/// How the ranks along the axes spread over the machine's objects, level by level.
void put_along(JsonText& json, const ReportOrder& order) {
  if (order.is_full) json.key("full").value(true);
  if (order.along.empty()) return;
  json.key("along").begin_array();
  for (const std::vector<AxisRun>& runs : order.along) {
    json.begin_array();
    for (const AxisRun& run : runs) json.value(run.skipped).value(run.objects).value(run.ranks);
    json.end_array();
  }
  json.end_array();
}

void put_order(JsonText& json, const ReportOrder& order, const std::vector<std::uint32_t>& places,
               bool is_listed) {
  json.begin_object();
  json.key("id").value(order.id).key("name").value(clipped(order.name, most_name_bytes));
  put_text(json, "file", order.file);
  json.key("moved").value(order.moved);
  if (order.metrics) {
    put_metrics(json.key("metrics"), *order.metrics);
    put_exact(json, order);
    put_list(json, "level_bytes", order.level_bytes);
    put_hosts(json, order.hosts);
  }
  put_known(json, "ratio", order.ratio);
  if (!places.empty()) json.key("places").value(base64_of(places));
  if (order.predicted) put_prediction(json, *order.predicted);
  put_axis(json, order.axis, is_listed);
  put_along(json, order);
  put_matrices(json, order.matrices);
  json.end_object();
}

/// So many lists with 4 bytes for each rank, in base64.
bool fits(std::uint64_t lists, std::uint32_t ranks) {
  return lists * ranks * 16 / 3 <= most_list_bytes;
}

void put_orders(JsonText& json, const ReportData& data) {
  const auto with_axis = std::ranges::count_if(
      data.orders, [](const ReportOrder& order) { return !order.axis.is_identity(); });
  const bool is_listed = fits(static_cast<std::uint64_t>(with_axis), data.run.ranks);
  const bool is_placed =
      data.run.ranks <= most_placed_ranks && fits(data.orders.size(), data.run.ranks);
  json.key("orders").begin_array();
  for (const ReportOrder& order : data.orders) {
    put_order(json, order, is_placed ? order.places : std::vector<std::uint32_t>(), is_listed);
  }
  json.end_array();
}

void put_objective(JsonText& json, const ReportData& data) {
  if (data.objective.empty()) return;
  json.key("objective").value(data.objective);
  if (!data.bound) return;
  json.key("bound").begin_object();
  put_quantity(json.key("value"), data.bound->value);
  json.key("reason").value(data.bound->reason);
  put_known(json, "gap", data.gap);
  json.key("is_telling").value(data.gap && *data.gap <= telling_gap);
  json.end_object();
}

void put_phases(JsonText& json, const ReportData& data) {
  json.key("phases").begin_array();
  for (std::size_t i = 0; i < data.phases.size(); ++i) {
    const ReportPhase& phase = data.phases[i];
    json.begin_object().key("name").value(clipped(phase.name, most_name_bytes));
    json.key("index").value(std::uint64_t{i}).key("bytes").value(phase.bytes);
    put_known(json, "similarity", phase.similarity);
    put_known(json, "seconds", phase.seconds);
    json.end_object();
  }
  json.end_array();
  if (!data.phases.empty()) json.key("phase_clock").value(data.has_wall_phases ? "wall" : "cpu");
  if (data.phases_left_out > 0) json.key("phases_truncated").value(data.phases_left_out);
}

void put_sizes(JsonText& json, const std::vector<ReportSize>& sizes) {
  json.key("sizes").begin_array();
  for (const ReportSize& size : sizes) {
    json.begin_object().key("up_to").value(size.up_to).key("count").value(size.count);
    put_counts(json, "classes", size.classes);
    json.end_object();
  }
  json.end_array();
}

void put_load(JsonText& json, const ReportLoad& load) {
  json.key("load").begin_object();
  json.key("ranks").value(load.ranks).key("block").value(load.block);
  put_list(json, "inside", load.inside);
  put_list(json, "outside", load.outside);
  json.end_object();
}

void put_talkers(JsonText& json, const std::vector<Talker>& talkers) {
  json.key("talkers").begin_array();
  for (const Talker& pair : talkers) {
    json.begin_object().key("a").value(pair.a.value).key("b").value(pair.b.value);
    json.key("bytes").value(pair.bytes);
    put_known(json, "messages", pair.messages);
    if (!pair.host_a.empty()) json.key("host_a").value(clipped(pair.host_a, most_name_bytes));
    if (!pair.host_b.empty()) json.key("host_b").value(clipped(pair.host_b, most_name_bytes));
    put_known(json, "level", pair.level);
    json.end_object();
  }
  json.end_array();
}

/// < > & and U+2028, U+2029 as \uXXXX; they only occur inside strings.
std::string harmless_in_html(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    switch (json[i]) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      case '\xE2':
        if (json.compare(i, 3, "\xE2\x80\xA8") == 0 || json.compare(i, 3, "\xE2\x80\xA9") == 0) {
          out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
          i += 2;
          break;
        }
        [[fallthrough]];
      default:
        out += json[i];
    }
  }
  return out;
}

}  // namespace

std::string clipped(const std::string& text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string report_json(const ReportData& data) {
  JsonText json;
  json.begin_object(JsonLayout::tight);
  json.key("format").value(report_format).key("kith").value(KITH_VERSION);
  json.key("title").value(clipped(data.title, most_text_bytes));
  put_run(json, data.run);
  put_summary(json, data.summary);
  put_missing(json, data.missing);
  put_totals(json, data.totals);
  if (data.machine) put_machine(json, *data.machine);
  put_orders(json, data);
  put_objective(json, data);
  put_phases(json, data);
  put_sizes(json, data.sizes);
  if (data.load) put_load(json, *data.load);
  if (data.time) put_time(json, *data.time);
  if (data.seconds) put_seconds(json, *data.seconds);
  if (data.threads) put_threads(json, *data.threads);
  if (!data.binding.empty()) put_binding(json, data.binding, most_listed_hosts);
  put_talkers(json, data.talkers);
  json.end_object();
  return harmless_in_html(json.take());
}

}  // namespace kith
