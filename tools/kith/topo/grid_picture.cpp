#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "topo/picture.hpp"

namespace kith::tools {
namespace {

/// Which rows or columns are drawn: all, or the first ones and the last with a gap between.
struct Shown {
  std::vector<std::uint32_t> indices;
  std::size_t gap = 0;  ///< behind this many of them; 0: none

  Shown(std::uint32_t extent, std::uint32_t most, std::uint32_t first) {
    const bool all = extent <= most;
    for (std::uint32_t i = 0; i < (all ? extent : first); ++i) indices.push_back(i);
    if (all) return;
    gap = indices.size();
    indices.push_back(extent - 1);
  }
};

/// The last two dimensions, or the only one, where all others are 0.
class LayerDrawing {
 public:
  LayerDrawing(const NetworkMachine& machine, const GridNetwork& grid, const Terminal& terminal)
      : machine_(machine),
        terminal_(terminal),
        strokes_(strokes_for(terminal)),
        extents_(grid.extents()),
        row_extent_(extents_.size() > 1 ? extents_[extents_.size() - 2] : 1),
        column_extent_(extents_.back()),
        around_rows_(grid.periodic() && row_extent_ > 2),
        around_columns_(grid.periodic() && column_extent_ > 2),
        cell_(std::to_string(row_extent_ * std::uint64_t{column_extent_} - 1).size()),
        rows_(row_extent_, 8, 4),
        columns_(column_extent_, most_columns(), most_columns() - 2) {}

  std::string text() const {
    std::string text;
    if (around_rows_) text += links(strokes_.along);
    for (std::size_t r = 0; r < rows_.indices.size(); ++r) {
      if (r > 0) text += links(r == rows_.gap ? ":" : strokes_.along);
      text += row(rows_.indices[r]);
    }
    if (around_rows_) text += links(strokes_.along);
    return text;
  }

 private:
  std::uint32_t most_columns() const {
    return static_cast<std::uint32_t>(std::min<std::size_t>((80 - 12) / (cell_ + 3), 16));
  }

  bool may_be_used(std::uint64_t node) const {
    const SlotSet& allowed = machine_.allowed();
    const std::uint64_t first = node * machine_.slots_per_node();
    const std::uint64_t next = allowed.index_of(Slot(static_cast<std::uint32_t>(first)));
    return next < allowed.size() && allowed.at(next).value < first + machine_.slots_per_node();
  }

  std::string node_text(std::uint32_t r, std::uint32_t c) const {
    const std::uint32_t node = r * column_extent_ + c;
    return may_be_used(node) ? fmt::format("{}", node) : std::string(".");
  }

  std::string row(std::uint32_t r) const {
    const std::string link = painted(terminal_, Look::faint, strokes_.across);
    std::string text = around_columns_ ? "   " + link + " " : "     ";
    for (std::size_t c = 0; c < columns_.indices.size(); ++c) {
      if (c > 0) text += c == columns_.gap ? " ... " : " " + link + " ";
      text += fmt::format("{:>{}}", node_text(r, columns_.indices[c]), cell_);
    }
    return text + (around_columns_ ? " " + link + "\n" : "\n");
  }

  std::string links(std::string_view mark) const {
    std::string text = "     ";
    for (std::size_t c = 0; c < columns_.indices.size(); ++c) {
      if (c > 0) text += c == columns_.gap ? "     " : "   ";
      text += std::string(cell_ - 1, ' ').append(mark);
    }
    return painted(terminal_, Look::faint, text) + '\n';
  }

  const NetworkMachine& machine_;
  const Terminal& terminal_;
  Strokes strokes_;
  std::span<const std::uint32_t> extents_;
  std::uint32_t row_extent_;
  std::uint32_t column_extent_;
  bool around_rows_;
  bool around_columns_;
  std::size_t cell_;
  Shown rows_;
  Shown columns_;
};

/// Sums over the dimensions.
struct GridFacts {
  std::uint64_t links = 0;
  std::uint64_t diameter = 0;
  double average_hops = 0;  ///< of two different nodes
};

GridFacts facts_of(const GridNetwork& grid) {
  GridFacts facts;
  const auto nodes = static_cast<double>(grid.nodes());
  for (const std::uint32_t extent : grid.extents()) {
    const auto n = static_cast<double>(extent);
    const std::uint64_t lines = grid.nodes() / extent;
    const bool ring = grid.periodic() && extent > 2;
    facts.links += lines * (ring ? extent : extent - 1);
    facts.diameter += grid.periodic() ? extent / 2 : extent - 1;
    // The mean over all ordered pairs of places, also equal ones.
    facts.average_hops += !grid.periodic()  ? (n * n - 1) / (3 * n)
                          : extent % 2 == 0 ? n / 4
                                            : (n * n - 1) / (4 * n);
  }
  if (grid.nodes() > 1) facts.average_hops *= nodes / (nodes - 1);
  return facts;
}

std::string dimensions_text(const GridNetwork& grid) {
  const auto extents = grid.extents();
  if (grid.kind() == "hypercube") {
    return fmt::format("{} dimensions: neighbours differ in one bit of their numbers\n",
                       extents.size());
  }
  const std::string_view shape = grid.periodic() ? "a ring" : "a row";
  std::string text;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    text += fmt::format("dimension {}: {} of {}{}\n", d, shape, counted(extents[d], "node"),
                        d + 1 == extents.size() ? ", numbered one after the other" : "");
  }
  return text;
}

std::string layer_title(const GridNetwork& grid) {
  const auto extents = grid.extents();
  std::string title = "\n";
  if (extents.size() > 2) {
    constexpr std::size_t max_zeros = 6;
    std::string place;
    for (std::size_t d = 0; d + 2 < std::min(extents.size(), max_zeros); ++d) place += "0, ";
    if (extents.size() > max_zeros) place += "..., 0, ";
    title += fmt::format("the nodes at {}*, *", place);
  } else {
    title += "the nodes";
  }
  if (grid.periodic()) {
    title += extents.size() > 3 ? ";\n" : "; ";
    title += "links that leave the picture come back on the other side";
  }
  return title + ":\n";
}

}  // namespace

std::string grid_picture(const NetworkMachine& machine, const GridNetwork& grid,
                         const Terminal& terminal) {
  const GridFacts facts = facts_of(grid);
  std::string text = dimensions_text(grid);
  text += fmt::format("{}; two nodes are {:.2f} hops apart on average, {} at most\n",
                      counted(facts.links, "link"), facts.average_hops, facts.diameter);
  if (grid.kind() == "hypercube" && grid.extents().size() > 3) return text;
  return text + layer_title(grid) + LayerDrawing(machine, grid, terminal).text();
}

}  // namespace kith::tools
