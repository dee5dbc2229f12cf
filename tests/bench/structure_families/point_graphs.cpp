#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "structure_families/member.hpp"

namespace kith::bench {
namespace {

using Point = std::array<double, 3>;

double squared_distance(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// Denser where the first coordinate is small: grade 1 is even.
std::vector<Point> drawn_points(Rng& rng, std::uint32_t count, unsigned dimensions, double grade) {
  std::vector<Point> points(count, Point{});
  for (Point& point : points) {
    for (unsigned d = 0; d < dimensions; ++d) point[d] = std::pow(rng.uniform(), grade);
  }
  return points;
}

std::vector<std::uint32_t> nearest(const std::vector<Point>& points, std::uint32_t i,
                                   std::uint32_t count) {
  std::vector<std::uint32_t> others(points.size());
  std::iota(others.begin(), others.end(), 0U);
  std::swap(others[i], others.back());
  others.pop_back();
  count = std::min(count, static_cast<std::uint32_t>(others.size()));
  std::ranges::partial_sort(others, others.begin() + count, {}, [&](std::uint32_t j) {
    return std::pair{squared_distance(points[i], points[j]), j};
  });
  others.resize(count);
  return others;
}

/// Gabriel's graph of points, a part of Delaunay's, as far as the nearest 20 of each tell.
Draft mesh_of(Rng& rng, const std::vector<Point>& points) {
  Draft draft;
  draft.ranks = static_cast<std::uint32_t>(points.size());
  const std::uint64_t spread = chance(rng, 50) ? 1 : 1000;
  for (std::uint32_t i = 0; i < draft.ranks; ++i) {
    const auto near = nearest(points, i, 20);
    for (const std::uint32_t j : near) {
      const auto parts_them = [&](std::uint32_t k) {
        return k != j &&
               squared_distance(points[i], points[k]) + squared_distance(points[j], points[k]) <
                   squared_distance(points[i], points[j]);
      };
      if (i < j && std::ranges::none_of(near, parts_them)) {
        draft.pairs.push_back({i, j, 1 + rng.below(spread)});
      }
    }
  }
  return draft;
}

/// A square or cube whose boxes are divided again and again; neighbours share a border.
Draft refined_boxes(Rng& rng, std::uint32_t count, unsigned dimensions) {
  struct Box {
    std::array<std::uint32_t, 3> at;
    std::uint32_t side;
  };
  std::vector<Box> boxes{{{0, 0, 0}, 1U << 20}};
  const Point focus{rng.uniform(), rng.uniform(), rng.uniform()};
  while (boxes.size() < count) {
    // Larger ones first, and those near the focus.
    std::size_t next = 0;
    double most = -1;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      double off = 0.02;
      for (unsigned d = 0; d < dimensions; ++d) {
        off += std::fabs((boxes[b].at[d] + 0.5 * boxes[b].side) / (1U << 20) - focus[d]);
      }
      const double worth = boxes[b].side / off * (0.5 + rng.uniform());
      if (worth > most) most = worth, next = b;
    }
    const Box whole = boxes[next];
    boxes[next] = boxes.back();
    boxes.pop_back();
    for (unsigned child = 0; child < 1U << dimensions; ++child) {
      Box part{whole.at, whole.side / 2};
      for (unsigned d = 0; d < dimensions; ++d) part.at[d] += (child >> d & 1U) * part.side;
      boxes.push_back(part);
    }
  }
  Draft draft;
  draft.ranks = static_cast<std::uint32_t>(boxes.size());
  for (std::uint32_t i = 0; i < draft.ranks; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      unsigned touching = 0;
      unsigned sharing = 0;
      for (unsigned d = 0; d < dimensions; ++d) {
        const std::uint32_t first = std::max(boxes[i].at[d], boxes[j].at[d]);
        const std::uint32_t last =
            std::min(boxes[i].at[d] + boxes[i].side, boxes[j].at[d] + boxes[j].side);
        if (first == last) ++touching;
        if (first < last) ++sharing;
      }
      if (touching == 1 && sharing + 1 == dimensions) draft.pairs.push_back({i, j, 10});
    }
  }
  return draft;
}

Draft random_geometric(Rng& rng, std::uint32_t count) {
  const auto points = drawn_points(rng, count, between(rng, 2, 3), 1);
  Draft draft;
  draft.ranks = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t j : nearest(points, i, 6)) {
      draft.pairs.push_back({i, j, 1 + rng.below(1000)});
    }
  }
  return draft;
}

Draft de_bruijn(std::uint32_t count) {
  Draft draft;
  draft.ranks = 8;
  while (2 * draft.ranks <= count) draft.ranks *= 2;
  for (std::uint32_t i = 0; i < draft.ranks; ++i) {
    for (const std::uint32_t bit : {0U, 1U}) {
      const std::uint32_t j = (2 * i + bit) % draft.ranks;
      if (i != j) draft.pairs.push_back({i, j, 10});
    }
  }
  return draft;
}

Draft random_graph(Rng& rng, std::uint32_t count) {
  Draft draft;
  draft.ranks = count;
  for (std::uint32_t i = 0; i < 3 * count; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(count));
    const auto b = static_cast<std::uint32_t>(rng.below(count));
    if (a != b) draft.pairs.push_back({a, b, 1 + rng.below(100)});
  }
  return draft;
}

/// A tree of three levels with room for the ranks, hardly more.
std::string tree_for(Rng& rng, std::uint32_t ranks) {
  const std::uint32_t cores = between(rng, 3, 16);
  const std::uint32_t sockets = between(rng, 2, 4);
  const std::uint32_t nodes = (ranks + cores * sockets - 1) / (cores * sockets);
  return tree_spec(rng, {nodes, sockets, cores});
}

/// A torus of three dimensions with room for the ranks.
std::string torus_for(Rng& rng, std::uint32_t ranks) {
  const std::uint32_t per_node = chance(rng, 50) ? 1 : between(rng, 2, 8);
  const std::uint32_t nodes = (ranks + per_node - 1) / per_node;
  std::vector<std::uint32_t> extents{2, 2, 2};
  while (extents[0] * extents[1] * extents[2] < nodes) {
    ++*std::ranges::min_element(extents);
  }
  std::string spec = "torus:" + product(extents);
  if (per_node > 1) spec.append("/").append(std::to_string(per_node));
  return spec;
}

}  // namespace

Draft draw_graded_mesh(Rng& rng, std::uint32_t most) {
  const std::uint32_t count = between(rng, most / 4, most);
  const unsigned dimensions = between(rng, 2, 3);
  const double grade = 1 + 2 * rng.uniform();
  Draft draft = mesh_of(rng, drawn_points(rng, count, dimensions, grade));
  draft.machine = torus_for(rng, draft.ranks);
  draft.text = std::to_string(dimensions) + "D mesh of " + std::to_string(count);
  return draft;
}

Draft draw_irregular(Rng& rng, std::uint32_t most) {
  const std::uint32_t count = between(rng, most / 4, most);
  Draft draft;
  switch (rng.below(4)) {
    case 0:
      draft = refined_boxes(rng, count - 3, 2), draft.text = "quadtree of ";
      break;
    case 1:
      draft = refined_boxes(rng, count - 7, 3), draft.text = "octree of ";
      break;
    case 2:
      draft = random_geometric(rng, count), draft.text = "geometric ";
      break;
    default:
      draft = de_bruijn(count), draft.text = "de Bruijn ";
      break;
  }
  draft.text += std::to_string(draft.ranks);
  draft.machine = chance(rng, 75) ? tree_for(rng, draft.ranks) : torus_for(rng, draft.ranks);
  return draft;
}

Draft draw_small_job(Rng& rng, std::uint32_t most) {
  const std::uint32_t count = between(rng, 25, std::min(120U, most));
  Draft draft;
  switch (rng.below(4)) {
    case 0:
      draft = mesh_of(rng, drawn_points(rng, count, 2, 1)), draft.text = "mesh of ";
      break;
    case 1:
      draft = random_geometric(rng, count), draft.text = "geometric ";
      break;
    case 2:
      draft = refined_boxes(rng, count - 3, 2), draft.text = "quadtree of ";
      break;
    default:
      draft = random_graph(rng, count), draft.text = "random ";
      break;
  }
  draft.text += std::to_string(draft.ranks);
  draft.machine = tree_for(rng, draft.ranks);
  return draft;
}

}  // namespace kith::bench
