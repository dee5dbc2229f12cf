#include "mapper_tables/reference_lines.hpp"

namespace kith::bench {
namespace {

// SPECs are top down: "16:4:64" bottom-up is 64x4x16.
constexpr const char* tree_8_2_64 = "tree:64x2x8@100,10,1";
constexpr const char* tree_16_4_64 = "tree:64x4x16@100,10,1";
constexpr const char* tree_16_4_16_16 = "tree:16x16x4x16@1000,100,10,1";
constexpr const char* tree_16_4_32_16 = "tree:16x32x4x16@1000,100,10,1";
constexpr const char* tree_32_4_32_32 = "tree:32x32x4x32@1000,100,10,1";
constexpr const char* tree_32_4_64_128 = "tree:128x64x4x32@1000,100,10,1";

std::vector<ReferenceLine> planes() {
  return {
      {.instance = instance("2D 5-point 32x32", grid({32, 32}, 5), tree_8_2_64),
       .identity = 103936,
       .best_known = 48640,
       .lower_bound = 48640,
       .rivals = {{"Scotch", .4680, .02},
                  {"TreeMatch", .4680, .31},
                  {"SharedMap-eco", .4753, .31},
                  {"EagerMap", .6121, .04}}},
      {.instance = instance("2D 5-point 128x128", grid({128, 128}, 5), tree_16_4_16_16),
       .identity = 3389440,
       .best_known = 1140736,
       .lower_bound = 1140736,
       .rivals = {{"TreeMatch", .3366, 4.8},
                  {"KaHIP mapping", .3536, 12.5},
                  {"SharedMap-strong", .3538, 22.7},
                  {"Scotch", .3922, 1.15},
                  {"EagerMap", .4562, 18}}},
      {.instance = instance("2D 5-point 128x128 permuted", permuted(grid({128, 128}, 5), 1),
                            tree_16_4_16_16),
       .best_known = 1140736,
       .lower_bound = 1140736,
       .rivals = {{"Scotch", 1.05, .4}, {"KaHIP mapping", 1.10, 1.3}, {"SharedMap", 1.10, 1.3}},
       .relative_to_best = true},
      {.instance = instance("2D 5-point 256x512", grid({256, 512}, 5), tree_32_4_32_32),
       .identity = 27575296,
       .best_known = 5834752,
       .lower_bound = 5742592,
       .rivals = {{"IntegratedMapping, repaired", .2410, 12.7}},
       .most_cpu_s = 5,
       .most_mb = 1000},
  };
}

std::vector<ReferenceLine> spaces() {
  return {
      {.instance = instance("3D 7-point 16^3", grid({16, 16, 16}, 7), tree_16_4_64),
       .identity = 495360,
       .best_known = 258048,
       .lower_bound = 258048,
       .rivals = {{"Scotch", .5209, .10},
                  {"TreeMatch", .5209, .53},
                  {"SharedMap-fast", .5402, 2.0},
                  {"EagerMap", 1.0}}},
      {.instance =
           instance("3D 7-point 16^3 permuted", permuted(grid({16, 16, 16}, 7), 1), tree_16_4_64),
       .identity = 1133712,
       .best_known = 258048,
       .lower_bound = 258048,
       .rivals = {{"Scotch", .2276, .19},
                  {"SharedMap", .2498, 7.4},
                  {"EagerMap", .3578},
                  {"TreeMatch", .4307}}},
      {.instance = instance("3D 26-neighbour 16^3", halo({16, 16, 16}), tree_16_4_64),
       .identity = 67302000,
       .best_known = 34926192,
       .rivals = {{"TreeMatch", .5189, .69},
                  {"Scotch", .5249, .18},
                  {"SharedMap-eco", .5769, 4.6}}},
      {.instance = instance("3D 7-point 32^3 permuted", permuted(grid({32, 32, 32}, 7), 1),
                            tree_16_4_32_16),
       .identity = 89979555,
       .best_known = 6979584,
       .lower_bound = 6662784,
       .rivals = {{"IntegratedMapping, repaired", .0805, 6.4},
                  {"Scotch", .0822, 6.5},
                  {"SharedMap", .0871, 38}}},
      {.instance = instance("3D 26-neighbour 32^3", halo({32, 32, 32}), tree_16_4_32_16),
       .identity = 2629352800,
       .best_known = 974813536,
       .rivals = {{"Scotch", .3922, 5.8}, {"IntegratedMapping", .3938}, {"SharedMap", .3948, 39}}},
      {.instance =
           instance("3D 7-point 30x40x25", grid({30, 40, 25}, 7), "tree:20x20x3x25@1000,100,10,1"),
       .rivals = {{"Scotch", .34}, {"SharedMap", .36}, {"TreeMatch", 2.1}}},
      {.instance = instance("3D 7-point 64x64x32", grid({64, 64, 32}, 7), tree_32_4_32_32),
       .identity = 74223616,
       .best_known = 22872064,
       .lower_bound = 22779904,
       .rivals = {{"IntegratedMapping, repaired", .3093, 17.8}, {"Scotch", .3309, 167}},
       .most_cpu_s = 5,
       .most_mb = 1000},
      {.instance = instance("3D 7-point 64x64x32 permuted", permuted(grid({64, 64, 32}, 7), 1),
                            tree_32_4_32_32),
       .best_known = 22872064,
       .lower_bound = 22779904,
       .most_cpu_s = 5,
       .most_mb = 1000},
  };
}

/// The best block tiling of the first was found by trying all of them.
std::vector<ReferenceLine> millions() {
  return {
      {.instance = instance("3D 7-point 128x128x64", grid({128, 128, 64}, 7), tree_32_4_64_128),
       .best_known = 186253312,
       .most_cpu_s = 30,
       .most_mb = 4000,
       .tolerance = .03},
      {.instance = instance("3D 7-point 128x128x64 permuted", permuted(grid({128, 128, 64}, 7), 1),
                            tree_32_4_64_128),
       .best_known = 186253312,
       .most_cpu_s = 30,
       .most_mb = 4000,
       .tolerance = .03},
      {.instance = instance("3D 26-neighbour 128x128x64", halo({128, 128, 64}), "torus:64x64x64/4"),
       .most_mb = 4000},
  };
}

std::vector<ReferenceLine> without_grid() {
  const auto none = std::vector<Quoted>{{"identity", 1.0}};
  return {
      {.instance = instance("random geometric 16384", geometric(16384, 2), tree_16_4_16_16),
       .rivals = {{"KaHIP mapping strong", .0421, 55},
                  {"SharedMap-eco", .0436, 43},
                  {"Scotch", .0461, 2.1},
                  {"IntegratedMapping", .0477, 4.5},
                  {"TreeMatch", .1820, 21}}},
      {.instance = instance("R-MAT 2^14", rmat(14, 131072, 3), tree_16_4_16_16),
       .identity = 123568886,
       .rivals = {{"SharedMap", .5684, 463}, {"EagerMap", .6412, 19}, {"Scotch", .7011, 2.9}}},
      {.instance = instance("CG-like 64", cg(64, 1000), "tree:4x2x8@100,10,1"), .rivals = none},
      {.instance = instance("CG-like 256", cg(256, 1000), "tree:16x2x8@100,10,1"), .rivals = none},
      {.instance = instance("CG-like 1024", cg(1024, 1000), tree_8_2_64), .rivals = none},
      {.instance = instance("dense random 1000", dense(1000, 1), "tree:10x10x10@100,10,1"),
       .rivals = {{"KaHIP mapping", .9861, 99}, {"Scotch", .9869, 18}, {"EagerMap", .9912, .09}}},
  };
}

/// The optimum is one hop per pair.
std::vector<ReferenceLine> tori() {
  constexpr double pairs_16 = 3 * 16 * 16 * 15;
  constexpr double pairs_32 = 3 * 32 * 32 * 31;
  const auto line = [](std::string name, PatternMaker pattern, const char* machine, double optimum,
                       double scotch) {
    return ReferenceLine{.instance = instance(std::move(name), std::move(pattern), machine),
                         .best_known = optimum,
                         .lower_bound = optimum,
                         .rivals = {{"Scotch", scotch}},
                         .relative_to_best = true};
  };
  const PatternMaker grid_16 = grid({16, 16, 16}, 7);
  return {
      line("3D 7-point 16^3 on its torus", grid_16, "torus:16x16x16", pairs_16, 1.46),
      line("3D 7-point 16^3 permuted on its torus", permuted(grid_16, 1), "torus:16x16x16",
           pairs_16, 1.25),
      line("3D 7-point 32^3 permuted on its torus", permuted(grid({32, 32, 32}, 7), 1),
           "torus:32x32x32", pairs_32, 2.37),
  };
}

}  // namespace

std::vector<ReferenceLine> reference_lines() {
  std::vector<ReferenceLine> all;
  for (auto* const part : {planes, spaces, without_grid, tori, millions}) {
    for (ReferenceLine& line : part()) all.push_back(std::move(line));
  }
  return all;
}

}  // namespace kith::bench
