#include "machine/network/node_list.hpp"

#include <filesystem>
#include <unordered_map>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "core/split.hpp"
#include "kith/error.hpp"
#include "kith/types.hpp"

namespace kith {
namespace {

class NodeCounts {
 public:
  void add(std::string name, std::uint32_t slots) {
    const auto [known, is_new] = index_of_.try_emplace(name, counts_.size());
    if (is_new) {
      counts_.push_back({std::move(name), slots});
      return;
    }
    NodeCount& count = counts_[known->second];
    const std::uint64_t sum = std::uint64_t{std::max(count.slots, 1U)} + std::max(slots, 1U);
    count.slots = static_cast<std::uint32_t>(std::min(sum, max_index_count));
  }
  std::size_t size() const { return counts_.size(); }
  std::vector<NodeCount> take() { return std::move(counts_); }

 private:
  std::vector<NodeCount> counts_;
  std::unordered_map<std::string, std::size_t> index_of_;
};

std::uint32_t read_slots(std::string_view text, std::string_view where, std::string_view item) {
  const auto slots = parse_unsigned(text);
  if (!slots || *slots == 0 || *slots > max_index_count) {
    throw bad_input(where, "a number of slots from 1", in_quotes(item));
  }
  return static_cast<std::uint32_t>(*slots);
}

/// One item of a list: a hostlist expression without commas outside brackets, and perhaps ":N".
void add_item(NodeCounts& counts, std::string_view item, std::uint32_t slots,
              std::string_view where) {
  if (const std::size_t colon = item.rfind(':'); colon != std::string_view::npos) {
    slots = read_slots(item.substr(colon + 1), where, item);
    item = item.substr(0, colon);
  }
  for (std::string& name : expand_hostlist(item, where, max_listed_nodes - counts.size())) {
    counts.add(std::move(name), slots);
  }
}

/// `slots` for items that do not say themselves.
void add_list(NodeCounts& counts, std::string_view list, std::uint32_t slots,
              std::string_view where) {
  std::size_t begin = 0;
  bool in_brackets = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i == list.size() || (list[i] == ',' && !in_brackets)) {
      add_item(counts, list.substr(begin, i - begin), slots, where);
      begin = i + 1;
    } else if (list[i] == '[' || list[i] == ']') {
      in_brackets = list[i] == '[';
    }
  }
}

/// "slots=4" and "max_slots=8" behind a host. Returns the first, 0 where it is absent.
std::uint32_t read_host_options(Words& words, std::string_view where) {
  std::uint32_t slots = 0;
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const bool is_limit = key == "max_slots" || key == "max-slots";
    if (equals == std::string_view::npos || (key != "slots" && !is_limit)) {
      throw bad_input(where, "slots=N or max_slots=N behind a host", in_quotes(word));
    }
    const std::uint32_t number = read_slots(word.substr(equals + 1), where, word);
    if (!is_limit) slots = number;
  }
  return slots;
}

void add_file(NodeCounts& counts, const std::string& name) {
  LineReader in(name);
  in.limit_lines(std::size_t{1} << 24);
  std::string_view line;
  while (in.next(line)) {
    Words words(line.substr(0, line.find('#')));
    const std::string_view list = words.next();
    if (list.empty()) continue;
    const std::string where = in.file() + ":" + std::to_string(in.line());
    add_list(counts, list, read_host_options(words, where), where);
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
    add_list(counts, text, 0, option);
  }
  return counts.take();
}

}  // namespace kith
