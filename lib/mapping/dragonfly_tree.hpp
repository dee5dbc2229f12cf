// A dragonfly seen as the tree that it nearly is.
#pragma once

#include <memory>
#include <optional>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// The same ranks on a tree of a dragonfly's groups, routers and nodes, and of what is in the
/// nodes: the same slots, as many of them allowed. Two nodes of different groups cost what such
/// nodes are apart on average. The sum of costs is the objective, whatever it was; no rank is fixed
/// or anywhere yet.
class DragonflyTree {
 public:
  /// Nothing where the machine of `problem`, which must outlive this, is no dragonfly.
  static std::optional<DragonflyTree> of(const MapTask& problem);

  /// Valid as long as this object stays where it is.
  MapTask problem() const {
    return MapTask{original_.graph, *machine_, options_, original_.budget};
  }

 private:
  DragonflyTree(const MapTask& original, std::unique_ptr<Machine> machine);

  MapTask original_;
  std::unique_ptr<Machine> machine_;
  MapOptions options_;
};

}  // namespace kith
