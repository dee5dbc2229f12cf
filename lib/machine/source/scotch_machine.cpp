#include "machine/source/scotch_machine.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parse_number.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"

namespace kith {

TargetWords TargetWords::of_text(const SpecRequest& request) {
  TargetWords words(request);
  words.words_ = Words(request.body);
  return words;
}

TargetWords TargetWords::of_file(const SpecRequest& request) {
  TargetWords words(request);
  words.file_ = std::make_unique<LineReader>(std::string(request.body));
  return words;
}

std::string_view TargetWords::next() {
  while (true) {
    const std::string_view word = words_.next();
    std::string_view line;
    if (!word.empty() || file_ == nullptr || !file_->next(line)) return word;
    words_ = Words(line);
  }
}

std::uint64_t TargetWords::number(std::string_view what, std::uint64_t least, std::uint64_t most) {
  const std::string_view word = next();
  const auto value = parse_unsigned(word.starts_with('+') ? word.substr(1) : word);
  if (value && *value >= least && *value <= most) return *value;
  throw error(std::string(what) + ", a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most),
              word.empty() ? "the end" : in_quotes(word));
}

void TargetWords::expect_end() {
  if (const std::string_view word = next(); !word.empty()) {
    throw error("the end of the target", in_quotes(word));
  }
}

Error TargetWords::error(std::string_view expected, std::string_view found) const {
  if (file_ != nullptr) return file_->error(expected, found);
  return bad_input(request_.option, expected,
                   std::string(found) + " in " + in_quotes(request_.spec));
}

// Scotch targets given by a table of distances: deco 0 between terminals, deco 1 between all
// domains of a recursive bisection.

namespace {

/// The table of so many terminals takes 4 GiB while it is read: the file is larger.
constexpr std::uint64_t max_terminals = 32768;
constexpr std::uint64_t max_distance = std::numeric_limits<std::uint32_t>::max();

/// Where (a, b) is in the rows of a triangle below the diagonal; a != b.
std::size_t place_in_triangle(std::size_t a, std::size_t b) {
  const auto [low, high] = std::minmax(a, b);
  return high * (high - 1) / 2 + low;
}

/// Terminals in the order of the file: their labels, and the distances between them.
struct Table {
  std::vector<std::uint64_t> labels;
  std::vector<std::uint32_t> triangle;
};

std::uint32_t read_distance(TargetWords& words, std::uint64_t least = 1) {
  return static_cast<std::uint32_t>(words.number("a distance", least, max_distance));
}

Table read_terminal_table(TargetWords& words, std::uint64_t terminals, std::uint64_t domains) {
  Table table;
  std::vector<std::uint64_t> domain_of;
  for (std::uint64_t i = 0; i < terminals; ++i) {
    table.labels.push_back(words.number("a terminal's number", 0, max_index_count));
    words.number("a terminal's weight", 1, max_target_cost);
    domain_of.push_back(words.number("a terminal's domain", 1, domains));
  }
  std::ranges::sort(domain_of);
  if (std::ranges::adjacent_find(domain_of) != domain_of.end()) {
    throw words.error("a domain of its own for each terminal", "one domain twice");
  }
  for (std::uint64_t i = terminals * (terminals - 1) / 2; i > 0; --i) {
    table.triangle.push_back(read_distance(words));
  }
  return table;
}

/// Of all domains, those of size 1 are the terminals.
Table read_domain_table(TargetWords& words, std::uint64_t terminals, std::uint64_t domains) {
  Table table;
  std::vector<bool> is_terminal;
  for (std::uint64_t i = 0; i < domains; ++i) {
    const std::uint64_t label = words.number("a domain's number", 0, UINT64_MAX);
    is_terminal.push_back(words.number("a domain's size", 0, terminals) == 1);
    words.number("a domain's weight", 0, max_target_cost);
    if (is_terminal.back()) table.labels.push_back(label);
  }
  if (table.labels.size() != terminals) {
    throw words.error(std::to_string(terminals) + " domains of size 1",
                      std::to_string(table.labels.size()));
  }
  for (std::uint64_t row = 1; row < domains; ++row) {
    for (std::uint64_t column = 0; column < row; ++column) {
      const bool is_wanted = is_terminal[row] && is_terminal[column];
      const std::uint32_t distance = read_distance(words, is_wanted ? 1 : 0);
      if (is_wanted) table.triangle.push_back(distance);
    }
  }
  return table;
}

/// The terminals by ascending label. Throws the words' error for equal ones.
std::vector<std::uint32_t> order_of(const Table& table, const TargetWords& words) {
  std::vector<std::uint32_t> order(table.labels.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto label = [&](std::uint32_t i) { return table.labels[i]; };
  std::ranges::sort(order, {}, label);
  const auto twice = std::ranges::adjacent_find(order, {}, label);
  if (twice != order.end()) {
    throw words.error("terminals of different numbers", std::to_string(label(*twice)) + " twice");
  }
  return order;
}

/// Slots are the terminals by ascending label, so that labels 0 .. n-1 are slot numbers.
ScotchMachine machine_of(const Table& table, const TargetWords& words,
                         const ScotchContext& context) {
  const auto order = order_of(table, words);
  std::vector<std::string> names;
  std::vector<std::uint64_t> distances;
  distances.reserve(table.triangle.size());
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      distances.push_back(table.triangle[place_in_triangle(order[a], order[b])]);
    }
  }
  if (table.labels[order.back()] + 1 != order.size()) {
    for (const std::uint32_t i : order) {
      names.push_back("terminal" + std::to_string(table.labels[i]));
    }
  }
  auto network = std::make_shared<MatrixNetwork>(static_cast<std::uint32_t>(order.size()),
                                                 std::move(distances), 1);
  return {std::make_unique<NetworkMachine>(std::move(network), std::vector<std::uint32_t>{},
                                           context.request.spec, std::move(names))};
}

}  // namespace

ScotchMachine read_scotch_deco(TargetWords& words, const ScotchContext& context) {
  const std::uint64_t type = words.number("the type of the decomposition", 0, 2);
  if (type == 2) {
    throw words.error("a decomposition of type 0 or 1",
                      "type 2, a graph without distances between its terminals");
  }
  const std::uint64_t terminals = words.number("the number of terminals", 1, max_terminals);
  const std::uint64_t domains =
      words.number("the number of domains", terminals, type == 0 ? max_index_count : 65536);
  const Table table = type == 0 ? read_terminal_table(words, terminals, domains)
                                : read_domain_table(words, terminals, domains);
  return machine_of(table, words, context);
}

}  // namespace kith
