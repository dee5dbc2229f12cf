// EagerMap's greedy groups: its algorithms 2 and 3 with what the extensions make of them.
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "mapping/element_graph.hpp"
#include "objective/wide.hpp"

namespace kith {

/// Algorithm 3, element by element. O(degree log) each.
class GroupMaker {
 public:
  explicit GroupMaker(const ElementGraph& graph)
      : graph_(graph), chosen_(graph.size()), gain_(graph.size()) {}

  /// Adds to the present group the element that communicates most with it, the lowest of equals.
  /// Precondition: one is left.
  std::uint32_t add();
  void close_group();
  std::uint32_t left() const {
    return graph_.size() - static_cast<std::uint32_t>(groups_.members.size());
  }
  Groups take() { return std::move(groups_); }

 private:
  struct Candidate {
    Weight gain;
    std::uint32_t element;
    /// The top of the heap has the largest gain, then the lowest index.
    bool operator<(const Candidate& other) const {
      return gain != other.gain ? gain < other.gain : element > other.element;
    }
  };

  std::uint32_t choose();
  void add_gains_of(std::uint32_t winner);

  const ElementGraph& graph_;
  Groups groups_;
  std::vector<bool> chosen_;
  std::vector<Weight> gain_;  // communication with the present group
  std::vector<std::uint32_t> touched_;
  std::priority_queue<Candidate> heap_;
  std::uint32_t lowest_ = 0;  // all below are chosen
};

/// Algorithm 2: at most `available` groups of nearly equal size, the larger ones first.
Groups even_groups(const ElementGraph& graph, std::uint32_t available);

/// One group for each size, which may be 0; together as many as there are elements.
Groups groups_of_sizes(const ElementGraph& graph, std::span<const std::uint32_t> sizes);

/// What a group of algorithm 6 is made for.
struct LoadShare {
  std::uint64_t slots = 1;  ///< the load of the group is to be in proportion to these
  std::uint64_t most = 1;   ///< elements that fit
};

/// Algorithms 6 and 7: a group takes elements until its load reaches the share that falls to it of
/// what the groups before it have left. But it takes one at least, no more than fit, and no fewer
/// than the groups after it have room to leave; so the last group takes all that is left.
class LoadGroupMaker {
 public:
  /// `loads` of each element; `all`: the sums over all groups that are to be made. All elements
  /// must fit.
  LoadGroupMaker(const ElementGraph& graph, std::span<const Wide> loads, LoadShare all);

  bool done() const { return maker_.left() == 0; }
  /// Precondition: not done().
  void add_group(LoadShare share);
  Groups take() { return maker_.take(); }

 private:
  GroupMaker maker_;
  std::span<const Wide> loads_;
  Wide load_left_;
  LoadShare left_;
};

}  // namespace kith
