#include "report/heat_level.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"

namespace kith {

MachineLevels::MachineLevels(const Machine& machine) : machine_(machine) {
  if (const TreeMachine* const tree = machine.as_tree()) {
    tree_ = tree;
    add_tree(*tree, 1, machine.cost_scale());
    return;
  }
  levels_.push_back({"network", 1, std::nullopt});
  const NetworkMachine* const network = machine.as_network();
  slots_per_node_ = network != nullptr ? network->slots_per_node() : 1;
  tree_ = network != nullptr ? network->node_tree() : nullptr;
  if (tree_ != nullptr) add_tree(*tree_, machine.nodes(), 1);
}

void MachineLevels::add_tree(const TreeMachine& tree, std::uint64_t trees,
                             std::uint64_t cost_scale) {
  for (const Level& level : tree.levels()) {
    levels_.push_back({level.name, level.objects * trees, Quantity{level.cost, cost_scale}});
  }
}

std::size_t MachineLevels::of(Slot a, Slot b) const {
  if (a == b) return levels_.size();
  if (slots_per_node_ == 0) return tree_->meeting(a, b);
  if (tree_ == nullptr || machine_.node_of(a) != machine_.node_of(b)) return 0;
  return 1 + tree_->meeting(Slot(a.value % slots_per_node_), Slot(b.value % slots_per_node_));
}

bool RankAxis::is_identity() const {
  for (std::uint32_t p = 0; p < ranks(); ++p) {
    if (rank_at[p].value != p) return false;
  }
  return true;
}

RankAxis axis_by_rank(std::uint32_t ranks) {
  RankAxis axis;
  axis.position_of.resize(ranks);
  std::iota(axis.position_of.begin(), axis.position_of.end(), 0U);
  for (std::uint32_t r = 0; r < ranks; ++r) axis.rank_at.emplace_back(r);
  return axis;
}

std::uint32_t place_of(const Machine& machine, Slot slot) {
  const TreeMachine* const tree = machine.as_tree();
  return tree != nullptr ? tree->leaf_of_slot(slot) : slot.value;
}

RankAxis axis_by_place(const Mapping& mapping, const Machine& machine) {
  const std::uint32_t ranks = mapping.ranks();
  std::vector<std::uint32_t> place(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) place[r] = place_of(machine, mapping[Rank(r)]);
  RankAxis axis = axis_by_rank(ranks);
  std::ranges::stable_sort(axis.rank_at, {}, [&](Rank rank) { return place[rank.value]; });
  for (std::uint32_t p = 0; p < ranks; ++p) axis.position_of[axis.rank_at[p].value] = p;
  return axis;
}

namespace {

constexpr std::uint64_t most_cells_along_a_side = 1 << 20;

/// One row of cells: sums by column, kept dense, and which columns have any.
class HeatRow {
 public:
  HeatRow(std::uint32_t side, std::size_t levels)
      : levels_(levels), bytes_(side * (levels + 1)), messages_(side), is_touched_(side) {}

  void add_bytes(std::uint32_t column, std::size_t level, Weight weight) {
    touch(column);
    bytes_[column * (levels_ + 1) + level] += weight;
  }
  void add_messages(std::uint32_t column, Weight weight) {
    touch(column);
    messages_[column] += weight;
  }

  /// Appends the cells to `out` and is empty again.
  void take(std::uint32_t row, std::vector<HeatCell>& out) {
    std::ranges::sort(columns_);
    for (const std::uint32_t column : columns_) out.push_back(take_cell(row, column));
    columns_.clear();
  }

 private:
  void touch(std::uint32_t column) {
    if (is_touched_[column]) return;
    is_touched_[column] = true;
    columns_.push_back(column);
  }

  HeatCell take_cell(std::uint32_t row, std::uint32_t column) {
    HeatCell cell{row, column};
    cell.messages = std::exchange(messages_[column], 0);
    Weight most = 0;
    for (std::size_t level = 0; level <= levels_; ++level) {
      const Weight weight = std::exchange(bytes_[column * (levels_ + 1) + level], 0);
      cell.bytes += weight;
      if (weight <= most) continue;
      most = weight;
      cell.level = level == levels_ ? HeatCell::same_slot : static_cast<int>(level);
    }
    is_touched_[column] = false;
    return cell;
  }

  std::size_t levels_;
  std::vector<Weight> bytes_;     // by column and level, same slot the last
  std::vector<Weight> messages_;  // by column
  std::vector<bool> is_touched_;
  std::vector<std::uint32_t> columns_;
};

std::size_t level_of(const HeatSource& source, Rank a, Rank b) {
  if (source.levels == nullptr) return 0;
  return source.levels->of((*source.mapping)[a], (*source.mapping)[b]);
}

/// All that `sender` sends.
void add_sender(const HeatSource& source, Rank sender, std::uint32_t block, HeatRow& row) {
  const auto column = [&](Rank rank) { return source.axis.position_of[rank.value] / block; };
  const auto receivers = source.bytes.destinations(sender);
  const auto bytes = source.bytes.weights(sender);
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    row.add_bytes(column(receivers[i]), level_of(source, sender, receivers[i]), bytes[i]);
  }
  if (source.messages == nullptr) return;
  const auto partners = source.messages->destinations(sender);
  const auto messages = source.messages->weights(sender);
  for (std::size_t i = 0; i < partners.size(); ++i) {
    row.add_messages(column(partners[i]), messages[i]);
  }
}

std::uint64_t digits(std::uint64_t number) {
  std::uint64_t count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

}  // namespace

std::uint64_t text_bytes(const HeatCell& cell) {
  constexpr std::uint64_t commas = 5;
  const std::uint64_t level = cell.level < 0 ? 2 : digits(static_cast<std::uint64_t>(cell.level));
  return digits(cell.row) + digits(cell.column) + digits(cell.bytes) + digits(cell.messages) +
         level + commas;
}

std::optional<HeatLevel> heat_level(const HeatSource& source, std::uint32_t block,
                                    std::uint64_t most_text_bytes) {
  const std::uint32_t ranks = source.axis.ranks();
  const std::uint64_t side = (std::uint64_t{ranks} + block - 1) / block;
  if (side > most_cells_along_a_side) return std::nullopt;
  HeatLevel heat{block, static_cast<std::uint32_t>(side), {}};
  HeatRow row(heat.side, source.levels == nullptr ? 0 : source.levels->count());
  std::uint64_t length = 0;
  for (std::uint32_t i = 0; i < heat.side; ++i) {
    const std::uint64_t begin = std::uint64_t{i} * block;
    const std::uint64_t end = std::min<std::uint64_t>(begin + block, ranks);
    for (std::uint64_t p = begin; p < end; ++p) {
      add_sender(source, source.axis.rank_at[p], block, row);
    }
    const std::size_t before = heat.cells.size();
    row.take(i, heat.cells);
    for (std::size_t c = before; c < heat.cells.size(); ++c) length += text_bytes(heat.cells[c]);
    if (length > most_text_bytes) return std::nullopt;
  }
  return heat;
}

}  // namespace kith
