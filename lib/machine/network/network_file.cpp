// The network file: levels with their costs, hosts with their switches.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "core/line_reader.hpp"
#include "core/log.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/types.hpp"
#include "machine/network/host_network.hpp"
#include "machine/network/node_list.hpp"

namespace kith {
namespace {

constexpr std::size_t max_file_layers = 32;
constexpr std::size_t max_levels = 64;

double read_real(const LineReader& in, std::string_view word, std::string_view text) {
  const auto value = parse_real(text);
  if (value && *value >= 0) return *value;
  throw in.error("a decimal number of at least 0 behind =", in_quotes(word));
}

class NetworkFileReader {
 public:
  explicit NetworkFileReader(LineReader& in) : in_(in) { in_.limit_lines(LineReader::short_line); }

  HostNetwork read() {
    std::string_view line;
    while (in_.next(line)) {
      Words words(line.substr(0, line.find('#')));
      const std::string_view first = words.next();
      if (first.empty()) continue;
      if (first == "level") {
        add_level(words);
      } else {
        add_hosts(first, words);
      }
    }
    if (answer_.hosts.empty()) throw bad_input(in_.file(), "a line for each host", "none");
    answer_.network.source = in_.file();
    finish_levels();
    return std::move(answer_);
  }

 private:
  void add_level(Words& words) {
    LevelCost level;
    level.level = words.next();
    if (level.level.empty() || level.level.find('=') != std::string::npos) {
      throw in_.error("a level's name, such as: level switch cost=85000", in_quotes(level.level));
    }
    if (!known_levels_.try_emplace(level.level, in_.line()).second) {
      throw in_.error("each level once (a host cannot be called \"level\")",
                      in_quotes(level.level) + " again");
    }
    if (known_levels_.size() > max_levels) throw in_.error("at most 64 levels", "more");
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      set(level, word);
    }
    warn_of_cost(level);
    warn_of_place(level);
    inside_host_ = inside_host_ || level.level == "host";
    if (inside_host_) {
      answer_.network.host_levels.push_back(std::move(level));
    } else {
      answer_.network.levels.push_back(std::move(level));
      last_level_line_ = in_.line();
    }
  }

  /// A byte that goes further up passes the links of this level as well.
  void warn_of_cost(const LevelCost& level) {
    if (level.cost == 0) return;
    if (above_.cost > 0 && above_.cost < level.cost) {
      log_line(in_.file() + ":" + std::to_string(in_.line()) + ": warning: level " + level.level +
               " costs " + std::to_string(level.cost) + " ps a byte and level " + above_.level +
               " above it " + std::to_string(above_.cost) +
               ": orders will prefer the latter (cost= is what a byte of one message takes, "
               "bandwidth= may be that of a whole link; cost= may be left out)");
    }
    above_ = level;
  }

  /// Levels count by their places, whatever they are called.
  void warn_of_place(const LevelCost& level) {
    if (level.level != "network" || answer_.network.levels.empty()) return;
    log_line(in_.file() + ":" + std::to_string(in_.line()) +
             ": warning: level network stands behind level " + answer_.network.levels.back().level +
             ", and levels count by their places: the first is the one that all hosts meet at");
  }

  void set(LevelCost& level, std::string_view word) const {
    const auto equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    if (key == "cost") {
      const auto cost = parse_unsigned(value);
      if (!cost || *cost > UINT64_MAX / 2) {
        throw in_.error("whole picoseconds a byte behind cost=", in_quotes(word));
      }
      level.cost = *cost;
      return;
    }
    const auto* const measure = std::ranges::find_if(
        level_measures, [&](const LevelMeasure& one) { return key == one.key; });
    if (measure == std::end(level_measures)) {
      throw in_.error("cost=, latency=, bandwidth=, burst=, overhead=, shared= or eager=",
                      in_quotes(word));
    }
    level.*measure->value = read_real(in_, word, value);
    // Not known is 0 in the level, and left out in the file.
    if (key == "bandwidth" && level.*measure->value == 0) {
      throw in_.error("megabytes a second above 0 behind bandwidth= (left out where not known)",
                      in_quotes(word));
    }
  }

  /// A host, or "node[0-15]": all of them below the same switches.
  void add_hosts(std::string_view names, Words& words) {
    if (names.find('=') != std::string_view::npos) {
      throw in_.error("a host's name or \"level\" first", in_quotes(names));
    }
    const HostNetwork::Host alike = read_host(words);
    if (names.find_first_of("[,") == std::string_view::npos) {
      return add_host(std::string(names), alike);
    }
    const std::string where = in_.file() + ":" + std::to_string(in_.line());
    for (std::string& name : expand_hostlist(names, where)) add_host(std::move(name), alike);
  }

  void add_host(std::string name, HostNetwork::Host host) {
    if (!hosts_.try_emplace(name, in_.line()).second) {
      throw in_.error("each host once",
                      in_quotes(name) + ", also in line " + std::to_string(hosts_.at(name)));
    }
    host.name = std::move(name);
    check_switches(host);
    std::ranges::reverse(host.switches);
    all_slots_ += host.slots;
    if (all_slots_ > max_index_count) {
      throw in_.error("at most " + std::to_string(max_index_count) + " slots in all", "more");
    }
    answer_.hosts.push_back(std::move(host));
  }

  /// What stands behind the names.
  HostNetwork::Host read_host(Words& words) const {
    HostNetwork::Host host;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      if (word.starts_with("slots=")) {
        set_slots(host, word);
      } else if (word.find('=') != std::string_view::npos) {
        throw in_.error("slots=N or switches", in_quotes(word));
      } else if (word.find_first_of("[],") != std::string_view::npos) {
        throw in_.error("one switch a word behind the hosts (HOSTS SWITCH ..., the nearest first)",
                        in_quotes(word));
      } else {
        host.switches.emplace_back(word);
      }
    }
    return host;
  }

  void set_slots(HostNetwork::Host& host, std::string_view word) const {
    const auto slots = parse_unsigned(word.substr(word.find('=') + 1));
    if (host.slots_given || !slots || *slots == 0 || *slots > max_index_count) {
      throw in_.error("slots=N once, N from 1 to " + std::to_string(max_index_count),
                      in_quotes(word));
    }
    host.slots = static_cast<std::uint32_t>(*slots);
    host.slots_given = true;
  }

  /// `host.switches` as in the line: nearest first. A name stands for one switch of one layer.
  void check_switches(const HostNetwork::Host& host) {
    const auto& names = host.switches;
    if (names.size() > max_file_layers) {
      throw in_.error("at most 32 switches above a host", std::to_string(names.size()));
    }
    if (!answer_.hosts.empty() && names.size() != answer_.hosts.front().switches.size()) {
      throw in_.error(std::to_string(answer_.hosts.front().switches.size()) +
                          " switches, as many as for the first host",
                      std::to_string(names.size()));
    }
    for (std::size_t layer = 0; layer < names.size(); ++layer) {
      const Place here{layer, layer + 1 < names.size() ? names[layer + 1] : std::string()};
      const auto [known, is_new] = switches_.try_emplace(names[layer], here);
      if (is_new || known->second == here) continue;
      if (known->second.layer != layer) {
        throw in_.error("each switch in one layer", in_quotes(names[layer]) + " in two");
      }
      throw in_.error("switch " + in_quotes(names[layer]) + " below " +
                          in_quotes(known->second.above) + " as before",
                      in_quotes(here.above));
    }
  }

  void finish_levels() {
    auto& levels = answer_.network.levels;
    const std::size_t layers = answer_.hosts.front().switches.size();
    if (!levels.empty() && levels.size() != layers + 1) {
      throw bad_input_at(in_.file(), last_level_line_,
                         std::to_string(layers + 1) + " levels between hosts (the network and " +
                             std::to_string(layers) +
                             " layers of switches), behind which \"level host\" may follow",
                         std::to_string(levels.size()));
    }
    const bool unnamed = levels.empty();
    drop_common_switches(answer_);
    const std::size_t left = answer_.hosts.front().switches.size();
    if (unnamed && left > 0) levels = unmeasured_levels(left);
  }

  struct Place {
    std::size_t layer;
    std::string above;
    bool operator==(const Place&) const = default;
  };

  LineReader& in_;
  HostNetwork answer_;
  std::unordered_map<std::string, std::size_t> known_levels_;  // to their lines
  std::unordered_map<std::string, std::size_t> hosts_;         // to their lines
  std::unordered_map<std::string, Place> switches_;
  std::uint64_t all_slots_ = 0;
  std::size_t last_level_line_ = 0;
  LevelCost above_;  ///< the last level with a cost
  bool inside_host_ = false;
};

void append_real(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void append_level(std::string& text, const LevelCost& level) {
  text += "level " + level.level;
  if (level.cost != 0) text += " cost=" + std::to_string(level.cost);
  for (const LevelMeasure& measure : level_measures) {
    const double value = level.*measure.value;
    if (value != 0) append_real(text.append(" ").append(measure.key) += '=', value);
  }
  text += '\n';
}

}  // namespace

HostNetwork read_network_file(LineReader& in) {
  return NetworkFileReader(in).read();
}

HostNetwork read_network_file(const std::filesystem::path& path) {
  LineReader in(path);
  return read_network_file(in);
}

std::string network_file_text(const HostNetwork& network) {
  std::string text;
  for (const LevelCost& level : network.network.levels) append_level(text, level);
  for (const LevelCost& level : network.network.host_levels) append_level(text, level);
  for (const HostNetwork::Host& host : network.hosts) {
    text += host.name;
    if (host.slots_given || host.slots > 1) text += " slots=" + std::to_string(host.slots);
    for (auto name = host.switches.rbegin(); name != host.switches.rend(); ++name) {
      text += ' ' + *name;
    }
    text += '\n';
  }
  return text;
}

}  // namespace kith
