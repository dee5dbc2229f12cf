#include "machine/network/node_list.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/types.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

/// What a node counts that is named without a number of slots, but not only once.
enum class Bare { all_slots, one_slot };

class NodeCounts {
 public:
  /// `slots` is 0 for a node named without a number.
  void add(std::string name, std::uint32_t slots, Bare bare) {
    const auto [known, is_new] = index_of_.try_emplace(name, sums_.size());
    if (is_new) sums_.push_back({std::move(name)});
    SlotSum& sum_of_node = sums_[known->second];
    sum_of_node.sum += std::max(slots, 1U);
    sum_of_node.wants_all = sum_of_node.wants_all || (slots == 0 && bare == Bare::all_slots);
    sum_of_node.is_bare = is_new && slots == 0;
  }
  std::size_t size() const { return sums_.size(); }

  std::vector<NodeCount> take() {
    std::vector<NodeCount> counts;
    counts.reserve(sums_.size());
    for (SlotSum& sum_of_node : sums_) {
      const bool all = sum_of_node.wants_all || sum_of_node.is_bare;
      const std::uint64_t slots = all ? 0 : std::min(sum_of_node.sum, max_index_count);
      counts.push_back({std::move(sum_of_node.name), static_cast<std::uint32_t>(slots)});
    }
    return counts;
  }

 private:
  struct SlotSum {
    std::string name;
    std::uint64_t sum = 0;
    bool wants_all = false;
    bool is_bare = false;  // named once, without a number
  };
  std::vector<SlotSum> sums_;
  std::unordered_map<std::string, std::size_t> index_of_;
};

std::uint32_t read_slots(std::string_view text, std::string_view where, std::string_view item) {
  const auto slots = parse_unsigned(text);
  if (!slots || *slots == 0 || *slots > max_index_count) {
    throw bad_input(where, "a number of slots from 1", in_quotes(item));
  }
  return static_cast<std::uint32_t>(*slots);
}

/// At the commas outside brackets.
std::vector<std::string_view> split_hostlist(std::string_view list) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  bool in_brackets = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i == list.size() || (list[i] == ',' && !in_brackets)) {
      items.push_back(list.substr(begin, i - begin));
      begin = i + 1;
    } else if (list[i] == '[' || list[i] == ']') {
      in_brackets = list[i] == '[';
    }
  }
  return items;
}

/// The nodes of a list with their ":N", or else `slots`.
void add_list(NodeCounts& counts, std::string_view list, std::uint32_t slots, Bare bare,
              std::string_view where) {
  for (const std::string_view whole : split_hostlist(list)) {
    const std::size_t colon = whole.rfind(':');
    const bool says = colon != std::string_view::npos;
    const std::uint32_t own = says ? read_slots(whole.substr(colon + 1), where, whole) : slots;
    const std::string_view item = whole.substr(0, colon);
    for (std::string& name : expand_hostlist(item, where, max_listed_nodes - counts.size())) {
      counts.add(std::move(name), own, bare);
    }
  }
}

enum class HostKey { slots, most_slots, ignored, unknown };

/// The keys of Open MPI 4.1 (orte/util/hostfile/hostfile_lex.l).
HostKey key_of(std::string_view word) {
  constexpr std::string_view slots[] = {"slots", "cpu", "count"};
  constexpr std::string_view ignored[] = {"username", "user-name", "user_name", "port"};
  if (std::ranges::find(slots, word) != std::end(slots)) return HostKey::slots;
  if (std::ranges::find(ignored, word) != std::end(ignored)) return HostKey::ignored;
  for (const std::string_view what : slots) {
    for (const char* const joint : {"-", "_"}) {
      const std::string name(what);
      if (word == "max" + (joint + name) || word == name + joint + "max") {
        return HostKey::most_slots;
      }
    }
  }
  return HostKey::unknown;
}

/// Words, of which "slots = 4" is one.
std::vector<std::string> joined_at_equals(std::string_view text) {
  std::vector<std::string> joined;
  Words words(text);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (!joined.empty() && (word.starts_with('=') || joined.back().ends_with('='))) {
      joined.back() += word;
    } else {
      joined.emplace_back(word);
    }
  }
  return joined;
}

/// "slots=4 max_slots=8" behind a host: how many, 0 where nothing says so. The most counts where
/// it stands alone.
std::uint32_t read_host_options(std::string_view rest, std::string_view where) {
  std::optional<std::uint32_t> slots;
  std::uint32_t most = 0;
  for (const std::string& word : joined_at_equals(rest)) {
    const std::size_t equals = word.find('=');
    const HostKey key = key_of(std::string_view(word).substr(0, equals));
    if (equals == std::string::npos || key == HostKey::unknown) {
      throw bad_input(where, "slots=N or max_slots=N behind a host", in_quotes(word));
    }
    if (key == HostKey::ignored) continue;
    const std::uint32_t number = read_slots(word.substr(equals + 1), where, word);
    if (key == HostKey::slots && slots) throw bad_input(where, "slots=N once", in_quotes(word));
    if (key == HostKey::most_slots && slots && number < *slots) {
      throw bad_input(where, "a maximum of at least " + std::to_string(*slots) + " slots",
                      in_quotes(word));
    }
    if (key == HostKey::slots) slots = number;
    if (key == HostKey::most_slots) most = number;
  }
  return slots.value_or(most);
}

/// Without the "USER@" before a host. Throws for what Open MPI takes in a list's place and does not
/// name nodes to use.
std::string_view named_nodes(std::string_view list, std::string_view where) {
  list = list.substr(list.find('@') + 1);
  if (list.starts_with('^') || list.starts_with('+')) {
    throw bad_input(where, "nodes to use, by name (neither ^HOST nor +nN)", in_quotes(list));
  }
  return list;
}

void add_file(NodeCounts& counts, const std::string& name) {
  LineReader in(name);
  in.limit_lines(std::size_t{1} << 24);
  std::string_view line;
  while (in.next(line)) {
    line = line.substr(0, line.find('#'));
    Words words(line);
    const std::string_view first = words.next();
    if (first.empty()) continue;
    const std::string where = in.file() + ":" + std::to_string(in.line());
    const std::string_view list = named_nodes(first, where);
    const auto end = static_cast<std::size_t>(first.data() + first.size() - line.data());
    const bool is_one_node = list.find_first_of("[,") == std::string_view::npos;
    add_list(counts, list, read_host_options(line.substr(end), where),
             is_one_node ? Bare::one_slot : Bare::all_slots, where);
  }
  if (counts.size() == 0) throw bad_input(name, "at least one node", "none");
}

}  // namespace

bool names_node_file(std::string_view text) {
  std::error_code ignored;
  return text.find('/') != std::string_view::npos ||
         std::filesystem::is_regular_file(std::filesystem::path(text), ignored);
}

std::vector<NodeCount> parse_node_list(std::string_view text, std::string_view option) {
  NodeCounts counts;
  if (names_node_file(text)) {
    add_file(counts, std::string(text));
  } else {
    add_list(counts, text, 0, Bare::all_slots, option);
  }
  return counts.take();
}

}  // namespace kith
