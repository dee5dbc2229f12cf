// Synthetic communication patterns, streamed: a million ranks need no matrix in memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kith/detail/types.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// A symmetric pattern: each pair is visited once, both directions carry `weight`.
class Pattern {
 public:
  using Visit = std::function<void(Rank a, Rank b, Weight weight)>;
  virtual ~Pattern() = default;
  virtual std::uint32_t ranks() const = 0;
  /// Calls `visit` once for each pair that communicates, a != b, in a fixed order.
  virtual void for_each_pair(const Visit& visit) const = 0;
};

/// Grid of `extents` (2 or 3 of them; ranks row-major, last extent fastest). `points`: 5 or 9 in
/// two dimensions, 7 or 27 in three. A neighbour across a face / edge / corner gets weights[0] /
/// [1] / [2] (in two dimensions: edge neighbours weights[0], diagonal ones weights[1]); a single
/// weight stands for all classes, weight 0 leaves the pair out. Extents of 1 and periodic extents
/// of 2 give each pair once. Throws Error (input).
std::unique_ptr<Pattern> make_stencil(std::vector<std::uint32_t> extents, unsigned points,
                                      bool periodic, std::vector<Weight> weights);

/// Points in the unit square, x then y of each in turn; radius sqrt(16 / (pi n)); for i ascending,
/// for its neighbours j > i ascending: weight 1 + r mod 1000.
std::unique_ptr<Pattern> make_geometric(std::uint32_t ranks, std::uint64_t seed);

/// An unstructured mesh: points in the unit cube, x, y, z of each in turn; two are neighbours when
/// no other point lies in the ball between them (Gabriel graph), except for pairs further apart
/// than 3 / cbrt(n). For i ascending, for its neighbours j > i ascending: weight 1 + r mod 1000.
std::unique_ptr<Pattern> make_mesh(std::uint32_t ranks, std::uint64_t seed);

/// R-MAT of 2^scale ranks and `draws` draws with (.57, .19, .19, .05); duplicates add, self-loops
/// are dropped, vertices are relabelled by the permutation of seed + 1.
std::unique_ptr<Pattern> make_rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed);

/// Every pair, weight given.
std::unique_ptr<Pattern> make_alltoall(std::uint32_t ranks, Weight weight);

/// Every pair i < j in order, weight 1 + r mod 1000.
std::unique_ptr<Pattern> make_dense_random(std::uint32_t ranks, std::uint64_t seed);

/// NAS CG-like, a power of two ranks in rows of s: as many rows as columns, or half as many. Rank
/// R s + C with R s + (C xor 2^k), and transposed: with C s + R in a square, with (C / 2) s + 2 R +
/// C mod 2 else. Throws Error (input).
std::unique_ptr<Pattern> make_cg(std::uint32_t ranks, Weight weight);

struct LeanMdParameters {
  std::array<std::uint32_t, 3> cells{6, 6, 6};  ///< along each axis, at least 3
  std::uint64_t atoms = 140;                    ///< in each cell
  std::uint32_t further = 0;                    ///< objects that send nothing
};

/// Molecular dynamics with an object for each cell of space and one for each pair of neighbouring
/// cells, a cell and itself included: 15 x cells objects, then the further ones. Cells come first,
/// row-major; then for each cell its own pair and those with 13 of its 26 neighbours, space being
/// periodic. A cell sends each of its 27 pairs the coordinates of its atoms and gets forces back:
/// 24 bytes an atom each way. Throws Error (input).
std::unique_ptr<Pattern> make_leanmd(const LeanMdParameters& parameters);

/// NAS LU-like, a power of two ranks in a grid of X x Y, X = Y or 2 Y, rank y X + x: neighbours in
/// it, not periodic. Those of x get `weight` x X / Y (their blocks touch along longer borders), at
/// most 2^60. Throws Error (input).
std::unique_ptr<Pattern> make_lu(std::uint32_t ranks, Weight weight);

/// The models of Jeannot: Process mapping on any topology with TopoMatch, JPDC 170, 2022, section
/// 5.5, of an element m at noise level k: m + N(0, k), m + m N(0, k), m + U(-k, k), m + m U(-k, k),
/// with N the normal distribution of that mean and standard deviation, U the uniform one.
enum class NoiseModel {
  gaussian_additive,
  gaussian_multiplicative,
  uniform_additive,
  uniform_multiplicative,
};

/// One draw for each pair of ranks, and both directions get it; sums below 0 become 0, the others
/// are rounded. The paper draws for each element of the matrix; so the total of a pair, which
/// counts in all metrics, spreads here as there with sqrt(2) times the level. Additive noise makes
/// all pairs of ranks communicate, 10^9 at most. `level` is at least 0. Throws Error (input).
std::unique_ptr<Pattern> make_noisy(std::unique_ptr<Pattern> inner, NoiseModel model, double level,
                                    std::uint64_t seed);

/// The pairs whose weight is above `factor`, 0 to 1, x the heaviest: the same paper's section
/// 4.3.2. Throws Error (input).
std::unique_ptr<Pattern> make_sparse(std::unique_ptr<Pattern> inner, double factor);

/// Vertex v of `inner` becomes p[v] with the permutation of `seed`.
std::unique_ptr<Pattern> make_permuted(std::unique_ptr<Pattern> inner, std::uint64_t seed);

/// The pattern as a matrix: both directions of each pair carry its weight.
TrafficMatrix to_matrix(const Pattern& pattern);

}  // namespace kith
