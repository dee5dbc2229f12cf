// Machines written in the formats of others.
#pragma once

#include <string>

#include "kith/machine.hpp"

namespace kith {

/// A target of Scotch 7.0, for its programs and SCOTCH_archLoad(); `scotch:FILE` reads it back.
/// Scotch's i-th terminal is the machine's i-th allowed slot; read back, slots have their old
/// numbers and the distances of the target are costs, in units of 1/cost_scale(). Trees become
/// `tleaf`, or `ltleaf` where slots do not stand in order or objects have unequal numbers of
/// children (of the smallest symmetric tree around it, at most 2^20 leaves, the machine's are
/// kept); levels whose objects have one child each are left out. Grids of single slots become
/// meshes, tori and `hcub`. Whatever else has at most 1024 allowed slots becomes a table of
/// distances, `deco 0`. Where not all slots are allowed, `sub` keeps those that are. Throws Error
/// (input) for what Scotch cannot express.
std::string scotch_target_text(const Machine& machine);

/// XML of hwloc 2 of a tree of at most 4096 allowed slots that are numbered from left to right;
/// `hwloc:FILE` reads it back. Objects above slots become groups whose subtypes are the names of
/// the levels, slots cores with equally many PUs each. Only allowed slots are written, and read
/// back numbered from 0; levels that do not tell slots apart are left out. What hwloc does not know
/// (costs, which objects are nodes, their names) is in infos of the root. Throws Error (input) for
/// any other machine.
std::string hwloc_xml(const Machine& machine);

}  // namespace kith
