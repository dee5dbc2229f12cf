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

/// A platform of SimGrid 3.x (version 4.1 of its DTD); `simgrid:FILE` reads it back. Hosts are
/// nodes with a core per slot, or slots where the machine has one node or nodes that are not
/// symmetric inside. Tori become clusters of topology TORUS, untapered fat trees FAT_TREE; all else
/// a Dijkstra zone of hosts, routers and links, so that the links of a route are the hops: trees
/// numbered from left to right, meshes, hypercubes, dragonflies, of at most 2^17 links. Links have
/// the bandwidth and latency measured for their level, else 12.5 GB/s and 0.5 us; cores 1 Gflop/s.
/// What SimGrid does not know (the tree in a node, names and costs of levels, which slots are
/// allowed) is in properties. Throws Error (input) for any other machine.
std::string simgrid_xml(const Machine& machine);

}  // namespace kith
