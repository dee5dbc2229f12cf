#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "output.hpp"
#include "results.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t max_lines = 48;
constexpr std::size_t max_groups = 6;  // kinds of children that an object shows
constexpr std::size_t tree_width = 80;
constexpr std::size_t max_name = 24;

/// All objects of a level whose subtrees are alike.
struct Shape {
  struct Group {
    std::size_t shape;  ///< of the level below; unused above slots
    std::uint64_t count;
    auto operator<=>(const Group&) const = default;
  };
  std::vector<Group> children;  ///< by the first appearance of their shape
  std::uint64_t slots = 0;
};

using Shapes = std::vector<std::vector<Shape>>;  // by level; the root is shapes[0][0]

Shapes shapes_of_symmetric(const TreeMachine& tree) {
  Shapes shapes(tree.depth());
  for (unsigned level = 0; level < tree.depth(); ++level) {
    shapes[level] = {
        {{{0, tree.objects(level + 1) / tree.objects(level)}}, tree.slots() / tree.objects(level)}};
  }
  return shapes;
}

/// Gives each object of `level` the number of its shape. `below`: that of its children; empty where
/// they are slots.
std::vector<std::size_t> find_shapes(const TreeMachine& tree, unsigned level,
                                     const std::vector<std::size_t>& below,
                                     const std::vector<Shape>& shapes_below,
                                     std::vector<Shape>& shapes) {
  std::map<std::vector<Shape::Group>, std::size_t> known;
  std::vector<std::size_t> shape_of;
  for (std::uint64_t object = 0; object < tree.objects(level); ++object) {
    const std::uint64_t first = tree.first_child(level, object);
    const std::uint64_t last = tree.first_child(level, object + 1);
    std::map<std::size_t, std::uint64_t> counts;
    if (below.empty()) {
      counts[0] = last - first;
    } else {
      for (std::uint64_t child = first; child < last; ++child) ++counts[below[child]];
    }
    std::vector<Shape::Group> children;
    std::uint64_t slots = 0;
    for (const auto& [shape, count] : counts) {
      children.push_back({shape, count});
      slots += count * (below.empty() ? 1 : shapes_below[shape].slots);
    }
    const auto [place, is_new] = known.try_emplace(std::move(children), shapes.size());
    if (is_new) shapes.push_back({place->first, slots});
    shape_of.push_back(place->second);
  }
  return shape_of;
}

Shapes shapes_of(const TreeMachine& tree) {
  if (tree.is_symmetric()) return shapes_of_symmetric(tree);
  Shapes shapes(tree.depth());
  std::vector<std::size_t> below;
  for (unsigned level = tree.depth(); level-- > 0;) {
    const std::vector<Shape> none;
    below = find_shapes(tree, level, below, level + 1 < tree.depth() ? shapes[level + 1] : none,
                        shapes[level]);
  }
  return shapes;
}

struct Row {
  std::string label;
  std::uint64_t in_all;
  unsigned level;
  bool has_pairs;  ///< of slots that meet there
};

/// Files name levels as they like.
std::string level_name(const std::string& name) {
  return cut_to(printable(name), max_name);
}

class Drawing {
 public:
  Drawing(const TreeMachine& tree, bool has_nodes, const Terminal& terminal)
      : tree_(tree),
        has_nodes_(has_nodes),
        terminal_(terminal),
        strokes_(strokes_for(terminal)),
        shapes_(shapes_of(tree)),
        step_(tree.depth() > 10 ? 1 : 3) {}

  std::string text() {
    rows_.push_back({level_name(tree_.levels()[0].name), 1, 0, tree_.slots() > 1});
    draw_children(shapes_[0][0], 0, "", 1);
    return table();
  }

 private:
  std::string name_of(unsigned level) const {
    std::string name = level < tree_.depth() ? level_name(tree_.levels()[level].name) : "slot";
    // If the user gave the levels no names, mark the level of the nodes.
    if (has_nodes_ && level == tree_.node_level() && name.starts_with("level")) name += " (a node)";
    return name;
  }

  void draw_children(const Shape& shape, unsigned level, const std::string& indent,
                     std::uint64_t in_all) {
    const std::size_t shown = std::min(shape.children.size(), max_groups);
    for (std::size_t i = 0; i < shown; ++i) {
      if (rows_.size() >= max_lines) return;
      const Shape::Group& group = shape.children[i];
      const bool is_last = i + 1 == shape.children.size();
      const std::string_view branch = is_last ? strokes_.last_branch : strokes_.branch;
      std::string label = indent + std::string(step_ == 3 ? branch : "") +
                          fmt::format("{} x {}", group.count, name_of(level + 1));
      const bool has_children = level + 1 < tree_.depth();
      if (has_children && shape.children.size() > 1) {
        label += fmt::format(" of {}", counted(shapes_[level + 1][group.shape].slots, "slot"));
      }
      const bool has_pairs = has_children && shapes_[level + 1][group.shape].slots > 1;
      rows_.push_back({std::move(label), in_all * group.count, level + 1, has_pairs});
      if (!has_children) continue;
      const std::string deeper(step_ == 3 ? (is_last ? "   " : strokes_.passing) : " ");
      draw_children(shapes_[level + 1][group.shape], level + 1, indent + deeper,
                    in_all * group.count);
    }
    if (shown < shape.children.size()) draw_rest(shape, level, indent, in_all);
  }

  /// The kinds of children that there is no room for, on one line.
  void draw_rest(const Shape& shape, unsigned level, const std::string& indent,
                 std::uint64_t in_all) {
    std::uint64_t count = 0;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    for (std::size_t i = max_groups; i < shape.children.size(); ++i) {
      const Shape::Group& group = shape.children[i];
      const std::uint64_t slots = shapes_[level + 1][group.shape].slots;
      count += group.count;
      least = std::min(least, slots);
      most = std::max(most, slots);
    }
    rows_.push_back({indent + std::string(strokes_.last_branch) +
                         fmt::format("{} x {} of {} slots", count, name_of(level + 1),
                                     least == most ? fmt::format("{}", least)
                                                   : fmt::format("{} to {}", least, most)),
                     in_all * count, level + 1, most > 1});
  }

  std::string table() const {
    const auto levels = tree_.levels();
    const bool measured = std::ranges::any_of(levels, [](const Level& level) {
      return level.latency_us > 0 || level.megabytes_per_s > 0;
    });
    std::size_t labels = 0;
    for (const Row& row : rows_) labels = std::max(labels, columns_of(row.label));
    const std::size_t numbers = 18U + (tree_.has_costs() ? 12U : 0U) + (measured ? 22U : 0U);
    labels =
        std::max(labels + 2, tree_width - numbers > 34 ? std::size_t{34} : tree_width - numbers);
    std::string text =
        fmt::format("{:{}} {:>10} {:>6}", "two slots meet at", labels, "in all", "hops");
    if (tree_.has_costs()) text += fmt::format(" {:>11}", "cost");
    if (measured) text += fmt::format(" {:>9} {:>11}", "latency", "bandwidth");
    text = painted(terminal_, Look::strong, text) + '\n';
    for (const Row& row : rows_) {
      std::string line = row.label + std::string(labels - columns_of(row.label), ' ') +
                         fmt::format(" {:>10}", row.in_all);
      if (row.has_pairs) line += distances(row.level, measured);
      text += line + '\n';
    }
    if (rows_.size() >= max_lines) text += "...\n";
    return text;
  }

  std::string distances(unsigned level, bool measured) const {
    const Level& here = tree_.levels()[level];
    std::string text = fmt::format(" {:>6}", tree_.level_hops()[level]);
    if (tree_.has_costs()) {
      text += fmt::format(" {:>11}", quantity_text({here.cost, tree_.cost_scale()}));
    }
    if (!measured) return text;
    const auto number = [](double value, std::string_view unit) {
      return value > 0 ? fmt::format("{:.{}g} {}", value, value < 1e4 ? 4 : 12, unit)
                       : std::string("-");
    };
    return text + fmt::format(" {:>9} {:>11}", number(here.latency_us, "us"),
                              number(here.megabytes_per_s, "MB/s"));
  }

  const TreeMachine& tree_;
  bool has_nodes_;
  const Terminal& terminal_;
  Strokes strokes_;
  Shapes shapes_;
  unsigned step_;
  std::vector<Row> rows_;
};

}  // namespace

std::string tree_picture(const TreeMachine& tree, bool has_nodes, const Terminal& terminal) {
  return Drawing(tree, has_nodes, terminal).text();
}

}  // namespace kith::tools
