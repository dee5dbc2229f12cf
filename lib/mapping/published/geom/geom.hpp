// GEOM as a function, for the mappers that begin with it.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/published/geom/slot_space.hpp"

namespace kith {

struct GeomOptions {
  bool all_rotations = false;  ///< try each match of dimensions, not only that of equal order
  bool shifts = false;         ///< on rings, begin behind the largest gap
  NodeOrder node_order = NodeOrder::last;
};

inline constexpr MapperSetting rotations_setting{
    "rotations", "box",
    "box: the longest task dimension along the longest one of the allocation, and so on; all: the "
    "best of all matches"};
inline constexpr MapperSetting shifts_setting{
    "shifts", "off", "on: on rings, coordinates begin behind the largest gap in the allocation"};
inline constexpr MapperSetting node_order_setting{
    "node-order", "last",
    "first or last: which nodes of equal coordinate come first in a cut, by number"};

/// The three settings as given to `mapper`, which must list them.
GeomOptions geom_options(const Mapper& mapper, const MapOptions& options);

/// Throws Error (input) in the name of `mapper` where ranks or slots have no coordinates.
Mapping map_by_geometry(const Mapper& mapper, const MapTask& problem, const GeomOptions& options);

}  // namespace kith
