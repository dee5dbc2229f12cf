// A dragonfly seen as the tree that it nearly is.
#pragma once

#include <memory>
#include <optional>

#include "kith/mapper.hpp"

namespace kith {

/// The same ranks on a tree of a dragonfly's groups, routers and nodes, and of what is in the
/// nodes: the same slots, as many of them allowed. Two nodes of different groups cost what such
/// nodes are apart on average. The sum of costs is the objective, whatever it was; no rank is fixed
/// or anywhere yet.
class DragonflyTree {
 public:
  /// Nothing where the machine of `problem`, which must outlive this, is no dragonfly.
  static std::optional<DragonflyTree> of(const MapProblem& problem);

  /// Valid as long as this object stays where it is.
  MapProblem problem() const { return {original_.graph, *machine_, options_, original_.budget}; }

 private:
  DragonflyTree(const MapProblem& original, std::unique_ptr<Machine> machine);

  MapProblem original_;
  std::unique_ptr<Machine> machine_;
  MapOptions options_;
};

}  // namespace kith
