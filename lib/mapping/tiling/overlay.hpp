// A grid of ranks laid on a grid of nodes as it is: turned, reflected and shifted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/structure.hpp"
#include "kith/traffic.hpp"

namespace kith::tiling {

constexpr std::size_t most_axes = 12;
constexpr std::uint32_t nowhere = UINT32_MAX;

/// How the dimensions of the job lie along those of the machine.
struct Pose {
  std::array<std::size_t, most_axes> axis{};  ///< of the machine, by dimension of the job
  unsigned reflected = 0;                     ///< one bit per dimension of the job
  std::array<int, most_axes> shift{};         ///< by dimension of the machine
};

/// What the poses of a job are judged by.
enum class Aim {
  ranks_placed,  ///< how many ranks lie on free nodes
  snug           ///< of those that place as many, how few free nodes they leave beside them
};

/// The poses of a job with this grid, which has at most as many dimensions as the network.
class Overlay {
 public:
  struct Judged {
    std::uint32_t misses = 0;  ///< ranks on no free node
    std::uint64_t loose = 0;   ///< pairs of a rank and a free node beside it
    Pose pose;

    auto key() const { return std::pair(misses, loose); }
  };

  static constexpr std::uint64_t usual_looks = 10'000'000;

  /// `is_free`: by node; `has_gaps`: some are not, so that shifts and reflections matter.
  /// `most_looks`: at places of ranks, until it takes what it has found.
  Overlay(const TrafficGraph& graph, const GridNetwork& network, const GridStructure& grid,
          const std::vector<bool>& is_free, bool has_gaps, Aim aim, std::uint64_t most_looks);

  /// The few that are best, the best first; none that would place less than three quarters.
  const std::vector<Judged>& find();
  /// Nowhere: beyond the edge, or not free.
  std::uint32_t node_of(const Pose& pose, std::uint32_t rank) const;
  std::uint64_t looks() const { return looks_; }

 private:
  bool is_ring(std::size_t axis) const { return network_.periodic() && room_[axis] > 2; }
  void turn(Pose pose, std::size_t next, unsigned taken);
  bool is_far_too_long(std::size_t dimension, std::size_t axis) const;
  void reflect(Pose pose, unsigned taken);
  void shift(Pose& pose, std::size_t axis, unsigned taken);
  bool is_perfect() const;
  void judge(const Pose& pose);
  std::uint64_t looseness(const Pose& pose);

  const GridNetwork& network_;
  const GridStructure& grid_;
  const std::vector<bool>& is_free_;
  const bool has_gaps_;
  const Aim aim_;
  const std::uint64_t most_looks_;
  const std::uint32_t ranks_;
  std::vector<int> room_;    // by dimension of the machine
  std::vector<int> length_;  // by dimension of the job
  std::vector<int> places_;  // ranks x dimensions of the job
  std::vector<std::uint32_t> sample_;
  std::vector<Judged> kept_;
  std::uint64_t looks_ = 0;
};

/// Gives each rank that is nowhere the free node that is cheapest beside its partners, those first
/// that have partners with a node. `is_free`: by node, as many at least as such ranks.
void place_left(const TrafficGraph& graph, const GridNetwork& network,
                const std::vector<bool>& is_free, std::vector<std::uint32_t>& node);

}  // namespace kith::tiling
