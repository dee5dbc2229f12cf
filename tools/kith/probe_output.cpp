#include "probe_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "io/format/json_text.hpp"

namespace kith::tools {
namespace {

std::string number_or_blank(double value) {
  return value > 0 ? fmt::format("{:.5g}", value) : "-";
}

/// Names of the hosts below each switch of a layer, by the switch's name in order of appearance.
struct Switch {
  std::string name;
  std::vector<std::string> hosts;
};

std::vector<Switch> switches_of(const HostNetwork& found, std::size_t layer) {
  std::vector<Switch> switches;
  std::map<std::string, std::size_t> known;
  for (const HostNetwork::Host& host : found.hosts) {
    const auto [place, is_new] = known.try_emplace(host.switches[layer], switches.size());
    if (is_new) switches.push_back({host.switches[layer], {}});
    switches[place->second].hosts.push_back(host.name);
  }
  return switches;
}

/// "h0 h1 h2", and of more than sixteen the first ones and how many.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += ' ' + names[i];
  if (names.size() > most) text += fmt::format(" ... ({} in all)", names.size());
  return text;
}

/// "2 x 4 hosts", "3 of 2 to 5 hosts".
std::string sizes_text(const std::vector<Switch>& switches) {
  const auto [least, most] =
      std::ranges::minmax_element(switches, {}, [](const Switch& one) { return one.hosts.size(); });
  if (least->hosts.size() == most->hosts.size()) {
    return fmt::format("{} x {} hosts", switches.size(), most->hosts.size());
  }
  return fmt::format("{} of {} to {} hosts", switches.size(), least->hosts.size(),
                     most->hosts.size());
}

std::string level_row(std::size_t indent, const LevelCost& level, const std::string& what) {
  return fmt::format("{:<18} {:>12} {:>10} {:>12}  {}\n", std::string(indent, ' ') + level.level,
                     number_or_blank(level.latency_us), number_or_blank(level.megabytes_per_s),
                     level.cost > 0 ? fmt::format("{}", level.cost) : "-", what);
}

std::string levels_text(const HostNetwork& found) {
  std::string text = fmt::format("{:<18} {:>12} {:>10} {:>12}\n", "two ranks meet at", "latency us",
                                 "MB/s", "ps per byte");
  std::size_t indent = 0;
  for (const LevelCost& level : found.network.levels) {
    const std::string what = indent == 0 ? fmt::format("{} hosts", found.hosts.size())
                                         : sizes_text(switches_of(found, indent - 1));
    text += level_row(indent++, level, what);
  }
  for (const LevelCost& level : found.network.host_levels) text += level_row(indent++, level, "");
  return text;
}

void put_levels(JsonText& json, const std::vector<LevelCost>& levels) {
  json.begin_array();
  for (const LevelCost& level : levels) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(level.level);
    json.key("cost").value(level.cost);
    json.key("latency_us").value(level.latency_us);
    json.key("megabytes_per_s").value(level.megabytes_per_s);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string probe_text(const probe::Report& report, const HostNetwork& found,
                       const std::optional<std::string>& file) {
  std::string text =
      fmt::format("{} ranks on {} host{}, {} pairs of hosts measured in {:.1f} s\n", report.ranks,
                  found.hosts.size(), found.hosts.size() == 1 ? "" : "s",
                  report.measured.pairs.size(), report.seconds);
  text += levels_text(found);
  const std::size_t layers = found.hosts.front().switches.size();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (const Switch& one : switches_of(found, layer)) {
      if (one.hosts.size() > 1) text += one.name + ':' + some_of(one.hosts) + '\n';
    }
  }
  if (!file) return text + "-o FILE keeps this for kith topo hosts:FILE and KITH_NETWORK=FILE\n";
  return text + fmt::format(
                    "written to {0}; use it as\n"
                    "  kith topo hosts:{0}\n"
                    "  KITH_NETWORK={0} kith run ...\n",
                    *file);
}

std::string probe_json(const probe::Report& report, const HostNetwork& found,
                       const std::optional<std::string>& file) {
  JsonText json;
  json.begin_object();
  json.key("ranks").value(report.ranks);
  json.key("pairs").value(std::uint64_t{report.measured.pairs.size()});
  json.key("seconds").value(report.seconds);
  json.key("complete").value(!report.out_of_time);
  put_levels(json.key("levels"), found.network.levels);
  put_levels(json.key("host_levels"), found.network.host_levels);
  json.key("hosts").begin_array();
  for (const HostNetwork::Host& host : found.hosts) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(host.name);
    json.key("slots").value(host.slots);
    json.key("switches").begin_array(JsonLayout::line);
    for (const std::string& name : host.switches) json.value(name);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.key("file");
  if (file) {
    json.value(*file);
  } else {
    json.null();
  }
  json.end_object();
  return json.take();
}

}  // namespace kith::tools
