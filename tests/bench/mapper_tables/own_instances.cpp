#include "mapper_tables/own_instances.hpp"

#include <algorithm>

#include "core/rng.hpp"

namespace kith::bench {
namespace {

/// The first `kept[i % kept.size()]` slots of each node i in turn: nodes that are unequal or used
/// in part.
std::string keeping(const std::string& machine, std::uint32_t nodes, std::uint32_t slots_per_node,
                    const std::vector<std::uint32_t>& kept) {
  std::string list;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint32_t first = node * slots_per_node;
    const std::uint32_t count = kept[node % kept.size()];
    if (count == 0) continue;
    if (!list.empty()) list += ',';
    list += std::to_string(first);
    list += '-';
    list += std::to_string(first + count - 1);
  }
  return machine + ";slots=" + list;
}

/// Some nodes, drawn at random: what a batch system leaves.
std::string drawn_nodes(const std::string& machine, std::uint32_t nodes,
                        std::uint32_t slots_per_node, std::uint32_t wanted, std::uint64_t seed) {
  const auto order = random_permutation(nodes, seed);
  std::vector<std::uint32_t> kept(nodes, 0);
  for (std::uint32_t i = 0; i < wanted; ++i) kept[order[i]] = slots_per_node;
  return keeping(machine, nodes, slots_per_node, kept);
}

std::vector<Instance> grids() {
  return {
      instance("3D 7-point 30x40x25", grid({30, 40, 25}, 7), "tree:20x20x3x25@1000,100,10,1"),
      instance("3D 7-point 30x40x25 permuted", permuted(grid({30, 40, 25}, 7), 5),
               "tree:20x20x3x25@1000,100,10,1"),
      instance("2D 5-point 100x120 permuted", permuted(grid({100, 120}, 5), 4),
               "tree:25x12x40@100,10,1"),
      instance("2D 9-point 96x96 permuted", permuted(grid({96, 96}, 9, false, {10, 1}), 6),
               "tree:24x12x32"),
      instance("3D 7-point 18x20x24 periodic permuted", permuted(grid({18, 20, 24}, 7, true), 7),
               "tree:30x9x32@100,10,1"),
      instance("3D 7-point 50x40x20 permuted", permuted(grid({50, 40, 20}, 7), 8),
               "tree:25x20x4x20@1000,100,10,1"),
      instance("3D 7-point 11x10x10, 36 of 64 slots a node", permuted(grid({11, 10, 10}, 7), 3),
               keeping("tree:31x2x32@100,10,1", 31, 64, {36})),
      instance("3D 26-neighbour 20x20x15, nodes of 64 and 48", permuted(halo({20, 20, 15}), 2),
               keeping("tree:108x4x16@100,10,1", 108, 64, {64, 48, 64, 48, 56})),
      instance("2D 5-point 64x48 periodic on torus", permuted(grid({64, 48}, 5, true), 9),
               "torus:16x12/16"),
      instance("3D 26-neighbour 16^3 permuted on torus", permuted(halo({16, 16, 16}), 4),
               "torus:8x8x8/8"),
      instance("3D 7-point 16^3 permuted on hypercube", permuted(grid({16, 16, 16}, 7), 11),
               "hypercube:12"),
      instance("3D 7-point 24x18x8 on drawn nodes of a torus", grid({24, 18, 8}, 7),
               drawn_nodes("torus:12x12x6/8", 864, 8, 432, 5)),
      instance("3D 7-point 20x16x12 permuted on dragonfly", permuted(grid({20, 16, 12}, 7), 12),
               "dragonfly:10,6,4/16"),
  };
}

std::vector<Instance> meshes() {
  return {
      instance("mesh 1000", mesh(1000, 1), "tree:25x2x20@100,10,1"),
      instance("mesh 10000", mesh(10000, 2), "tree:25x20x20@100,10,1"),
      instance("mesh 40000", mesh(40000, 3), "tree:20x20x4x25@1000,100,10,1"),
      instance("mesh 3000 on 8192 slots", mesh(3000, 4), "tree:128x2x32@100,10,1"),
      instance("mesh 4096 on torus", mesh(4096, 5), "torus:16x16x16"),
      instance("geometric 5000", geometric(5000, 7), "tree:50x4x25@100,10,1"),
      instance("geometric 2048, half of each socket", geometric(2048, 8),
               keeping("tree:64x2x32@100,10,1", 128, 32, {16})),
      instance("geometric 4096 on fat tree", geometric(4096, 9), "fattree:8,4"),
      instance("geometric 3600 on drawn nodes of a dragonfly", geometric(3600, 10),
               drawn_nodes("dragonfly:9,8,4/16", 288, 16, 225, 3)),
      instance("geometric 20000 permuted, nodes of 64, 32 and 4", permuted(geometric(20000, 11), 1),
               keeping("tree:20x30x4x16@1000,100,10,1", 600, 64, {64, 32, 4, 36, 32, 34})),
  };
}

std::vector<Instance> others() {
  return {
      mixture("3D 7-point 16x16x32 and R-MAT", permuted(grid({16, 16, 32}, 7, false, {10}), 1),
              rmat(13, 16384, 4), "tree:16x8x64@100,10,1"),
      mixture("2D 5-point 64x64 and CG", grid({64, 64}, 5, false, {40}), cg(4096, 10),
              "tree:16x4x64@100,10,1"),
      mixture("geometric and its transposed 4000", permuted(geometric(4000, 1), 1),
              permuted(geometric(4000, 2), 2), "tree:25x4x40@100,10,1"),
      instance("heavy-tailed 3D 16^3 permuted",
               permuted(heavy_tailed(grid({16, 16, 16}, 7, false, {10}), 1), 2),
               "tree:64x4x16@100,10,1"),
      instance("heavy-tailed 2D 128x64", heavy_tailed(grid({128, 64}, 5, false, {10}), 3),
               "tree:16x16x32@100,10,1"),
      instance("R-MAT 2^13", rmat(13, 65536, 11), "tree:16x8x64@100,10,1"),
      instance("R-MAT 2^12 on torus", rmat(12, 32768, 12), "torus:16x16/16"),
      instance("dense 600", dense(600, 2), "tree:10x6x10@100,10,1"),
      instance("LeanMD 3240 permuted", permuted(leanmd({6, 6, 6}), 1), "tree:54x4x15@100,10,1"),
      instance("LU 2048 permuted", permuted(lu(2048, 1000), 1), "tree:32x64"),
      instance("CG 1024 permuted", permuted(cg(1024, 10), 2), "tree:16x4x16@100,10,1"),
      instance("teams of 24 on nodes of 32 permuted", permuted(teams(120, 24), 1),
               "tree:90x2x16@100,10,1"),
  };
}

}  // namespace

std::vector<Instance> own_instances() {
  std::vector<Instance> all;
  for (auto* const part : {grids, meshes, others}) {
    for (Instance& made : part()) all.push_back(std::move(made));
  }
  std::ranges::stable_sort(all, {}, &Instance::ranks);
  return all;
}

}  // namespace kith::bench
