// Slurm's topology.conf: KEY=VALUE words, '#' comments, lines that go on behind a backslash.
#include <algorithm>
#include <optional>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "core/split.hpp"
#include "machine/network/slurm_topology.hpp"

namespace kith {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 24;

struct KeyValue {
  std::string key;  // in lower case
  std::string value;
};

std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) return line.substr(0, i);
  }
  return line;
}

class ConfReader {
 public:
  explicit ConfReader(const std::filesystem::path& path) : in_(path) {
    in_.limit_lines(longest_line);
  }

  HostNetwork read() {
    std::string line;
    while (next_entry(line)) add(line);
    if (!switches_.empty()) return network_of_switches(switches_, in_.file());
    return network_of_blocks(blocks_, sizes_, in_.file());
  }

 private:
  Error error(std::string_view expected, std::string_view found) const {
    return bad_input_at(in_.file(), line_, expected, found);
  }

  /// The next line that says something, with what continues it.
  bool next_entry(std::string& entry) {
    entry.clear();
    std::string_view part;
    bool goes_on = false;
    while (in_.next(part)) {
      if (!goes_on) line_ = in_.line();
      part = without_comment(part);
      const std::size_t end = part.find_last_not_of(" \t");
      part = part.substr(0, end == std::string_view::npos ? 0 : end + 1);
      goes_on = part.ends_with('\\');
      entry += goes_on ? part.substr(0, part.size() - 1) : part;
      if (entry.size() > longest_line) throw error("an entry of at most 16 MiB", "a longer one");
      if (!goes_on && !is_blank(entry)) return true;
      if (!goes_on) entry.clear();
    }
    return !is_blank(entry);
  }

  /// Cuts "Key = value" off the front of `rest`. Values may stand in quotation marks.
  std::optional<KeyValue> next_pair(std::string_view& rest) const {
    constexpr std::string_view blanks = " \t";
    const auto skip_blanks = [&] {
      rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    };
    skip_blanks();
    if (rest.empty()) return std::nullopt;
    const std::string_view whole = rest;
    KeyValue pair;
    const std::size_t key_end = std::min(rest.find_first_of(" \t="), rest.size());
    pair.key = rest.substr(0, key_end);
    rest.remove_prefix(key_end);
    skip_blanks();
    if (!rest.starts_with('=')) throw error("words such as SwitchName=s0", in_quotes(whole));
    rest.remove_prefix(1);
    skip_blanks();
    const bool quoted = rest.starts_with('"');
    if (quoted) rest.remove_prefix(1);
    const std::size_t end = rest.find_first_of(quoted ? "\"" : blanks);
    if (quoted && end == std::string_view::npos) throw error("a second '\"'", in_quotes(whole));
    pair.value = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + (quoted ? 1 : 0));
    std::ranges::transform(pair.key, pair.key.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return pair;
  }

  void add(std::string_view rest) {
    SwitchEntry entry;
    entry.line = line_;
    bool is_switch = false;
    bool is_block = false;
    bool is_sizes = false;
    while (const auto pair = next_pair(rest)) {
      if (pair->key == "switchname") {
        is_switch = true;
        entry.name = pair->value;
      } else if (pair->key == "blockname") {
        is_block = true;
        entry.name = pair->value;
      } else if (pair->key == "blocksizes") {
        is_sizes = true;
        read_sizes(pair->value);
      } else if (pair->key == "switches") {
        entry.switches = pair->value;
      } else if (pair->key == "nodes") {
        entry.nodes = pair->value;
      } else if (pair->key != "linkspeed") {
        throw error("SwitchName=, Switches=, Nodes=, LinkSpeed=, BlockName= or BlockSizes=",
                    in_quotes(pair->key + "=" + pair->value));
      }
    }
    if (is_switch + is_block + is_sizes != 1 || (!is_sizes && entry.name.empty())) {
      throw error("one of SwitchName=NAME, BlockName=NAME and BlockSizes=N in a line",
                  is_switch + is_block + is_sizes > 1 ? "several" : "none");
    }
    if (is_switch) switches_.push_back(std::move(entry));
    if (is_block) blocks_.push_back(std::move(entry));
    if (!switches_.empty() && (!blocks_.empty() || !sizes_.empty())) {
      throw error("switches or blocks in one file", "both");
    }
  }

  void read_sizes(std::string_view list) {
    sizes_.clear();
    for (const std::string_view item : split(list, ',')) {
      const auto size = parse_unsigned(item);
      if (!size || *size == 0 || (!sizes_.empty() && *size <= sizes_.back())) {
        throw error("ascending block sizes such as 4,16", in_quotes(list));
      }
      sizes_.push_back(*size);
    }
  }

  LineReader in_;
  std::size_t line_ = 0;
  std::vector<SwitchEntry> switches_;
  std::vector<SwitchEntry> blocks_;
  std::vector<std::uint64_t> sizes_;
};

}  // namespace

HostNetwork read_topology_conf(const std::filesystem::path& path) {
  return ConfReader(path).read();
}

}  // namespace kith
