// Slurm's topology.conf: KEY=VALUE words, '#' comments, lines that go on behind a backslash.
#include <algorithm>
#include <optional>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "machine/network/slurm_topology.hpp"

namespace kith {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 24;
constexpr std::size_t deepest_include = 8;
constexpr std::size_t most_includes = 1000;

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

void to_lower(std::string& text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

/// The entries of one file.
class ConfLines {
 public:
  explicit ConfLines(LineReader& in) : in_(in) { in_.limit_lines(longest_line); }

  const std::string& file() const { return in_.file(); }
  std::size_t line() const { return line_; }
  Error error(std::string_view expected, std::string_view found) const {
    return bad_input_at(in_.file(), line_, expected, found);
  }

  /// The next line that says something, with what continues it.
  bool next(std::string& entry) {
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
    to_lower(pair.key);
    return pair;
  }

 private:
  LineReader& in_;
  std::size_t line_ = 0;
};

/// The file that an entry "Include FILE" names, empty for other entries.
std::string_view included_file(std::string_view entry) {
  Words words(entry);
  std::string key(words.next());
  to_lower(key);
  const std::string_view name = words.next();
  return key == "include" && !name.starts_with('=') ? name : std::string_view();
}

class ConfReader {
 public:
  HostNetwork read(LineReader& in) {
    read_file(in, 0);
    if (!switches_.empty()) return network_of_switches(switches_, in.file());
    return network_of_blocks(blocks_, sizes_, in.file());
  }

 private:
  void read_file(LineReader& in, std::size_t depth) {
    ConfLines lines(in);
    std::string entry;
    while (lines.next(entry)) {
      const std::string_view name = included_file(entry);
      if (name.empty()) {
        add(entry, lines);
      } else {
        include(name, lines, depth + 1);
      }
    }
  }

  void include(std::string_view name, const ConfLines& from, std::size_t depth) {
    if (depth > deepest_include) {
      throw from.error("files that include files 8 deep at most",
                       in_quotes(name) + " still deeper, or a circle");
    }
    if (++included_ > most_includes) throw from.error("at most 1000 included files", "more");
    LineReader in(std::filesystem::path(from.file()).parent_path() / name);
    read_file(in, depth);
  }

  void add(std::string_view rest, const ConfLines& lines) {
    SwitchEntry entry;
    entry.file = lines.file();
    entry.line = lines.line();
    bool is_switch = false;
    bool is_block = false;
    bool is_sizes = false;
    while (const auto pair = lines.next_pair(rest)) {
      if (pair->key == "switchname") {
        is_switch = true;
        entry.name = pair->value;
      } else if (pair->key == "blockname") {
        is_block = true;
        entry.name = pair->value;
      } else if (pair->key == "blocksizes") {
        is_sizes = true;
        read_sizes(pair->value, lines);
      } else if (pair->key == "switches") {
        entry.switches = pair->value;
      } else if (pair->key == "nodes") {
        entry.nodes = pair->value;
      } else if (pair->key != "linkspeed") {
        throw lines.error("SwitchName=, Switches=, Nodes=, LinkSpeed=, BlockName= or BlockSizes=",
                          in_quotes(pair->key + "=" + pair->value));
      }
    }
    if (is_switch + is_block + is_sizes != 1 || (!is_sizes && entry.name.empty())) {
      throw lines.error("one of SwitchName=NAME, BlockName=NAME and BlockSizes=N in a line",
                        is_switch + is_block + is_sizes > 1 ? "several" : "none");
    }
    if (is_switch) switches_.push_back(std::move(entry));
    if (is_block) blocks_.push_back(std::move(entry));
    if (!switches_.empty() && (!blocks_.empty() || !sizes_.empty())) {
      throw lines.error("switches or blocks in one file", "both");
    }
  }

  void read_sizes(std::string_view list, const ConfLines& lines) {
    sizes_.clear();
    for (const std::string_view item : split(list, ',')) {
      const auto size = parse_unsigned(item);
      if (!size || !is_next_block_size(sizes_, *size)) {
        throw lines.error(expected_block_sizes, in_quotes(list));
      }
      sizes_.push_back(*size);
    }
  }

  std::vector<SwitchEntry> switches_;
  std::vector<SwitchEntry> blocks_;
  std::vector<std::uint64_t> sizes_;
  std::size_t included_ = 0;
};

}  // namespace

HostNetwork read_topology_conf(LineReader& in) {
  return ConfReader().read(in);
}

}  // namespace kith
