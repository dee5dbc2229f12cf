// hwloc's topologies: reading and writing them, paths of objects, Kith's notes in them.
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/detail/tree_machine.hpp"

namespace kith {

struct HwlocDelete {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, HwlocDelete>;

/// The running system, without what the operating system forbids (cgroups), unless `flags` (of
/// hwloc_topology_set_flags()) say so. Throws Error (environment).
HwlocTopology load_this_system(unsigned long flags = 0);
/// Larger XML is refused; smaller describes fewer than 2^24 objects.
inline constexpr std::size_t max_xml_bytes = std::size_t{1} << 28;

/// hwloc XML in memory. `where` names it in errors. Throws Error (input).
HwlocTopology load_xml(const std::string& xml, const std::string& where);
/// The same for XML that hwloc wrote for us, as discover_this_host() has it: not tried in a child
/// first, as MPI processes should not fork. Throws Error (environment).
HwlocTopology load_own_xml(const std::string& xml, const std::string& where);
/// "package:2 core:4 pu:2". Throws Error (input).
HwlocTopology load_synthetic(const std::string& text, const std::string& where);
/// The same for text that Kith made itself: of any size.
HwlocTopology load_synthetic_unchecked(const std::string& text, const std::string& where);
/// The topology as XML of hwloc 2. Throws Error (environment).
std::string xml_text(hwloc_topology* topology);

/// Names of the depths of normal objects, 0 .. hwloc_topology_get_depth()-1: "machine", "package",
/// "numa" (a group that exists for its memory), "l3", ..., "pu". Groups of one subtype have that as
/// their name.
std::vector<std::string> depth_names(hwloc_topology* topology);

/// The processing units of an object, by the operating system's numbers.
CpuSet cpus_of(const hwloc_obj* object);

/// The whole of a file. Throws Error (input) when it cannot be read or is larger than `max_bytes`;
/// what is no regular file (a pipe, a device) may have 16 MiB.
std::string read_text_file(const std::string& name, std::size_t max_bytes,
                           const std::string& where);

/// Runs `attempt` in a child process without output, core file or more than a minute of processor
/// time. False when the child did not come to its end: a crash, a failed assertion. True as well
/// where no child can be had: then nothing is known. `attempt` must not throw.
bool survives(const std::function<void()>& attempt);

// From objects of hwloc to groupings of slots.

/// One level of grouping: slot i belongs to object group_of[i]. Ids are any numbers; slots of one
/// object of a level must share their objects of the levels above.
struct Grouping {
  std::string name;
  std::vector<std::uint32_t> group_of;
  LevelCost measured = {};  ///< of slots that meet here
};

/// Keeps the levels that distinguish slots and lays out the tree. `levels` top down; the first must
/// hold all slots in one object. Private levels go: one that repeats the grouping of the level
/// above it, or that has each slot alone. Objects, and slots within them, stand in the order of
/// their lowest slot. Fills children, names, measured and slot_of_leaf of the answer. Of levels
/// that group alike the name is the upper one's, but slots meet in the lowest: its measurements
/// count, where it has any.
TreeDescription tree_from_groupings(std::vector<Grouping> levels, std::uint32_t slots);

/// Collects, slot by slot, the chain of objects above it, and fills the levels that a chain lacks:
/// a missing level belongs to the next object down the chain, so that what parts there has already
/// parted above.
class PathGroupings {
 public:
  explicit PathGroupings(std::vector<std::string> level_names);

  /// One object of a chain. `identity` is unique among the objects of all levels.
  struct Step {
    std::size_t level;
    std::uint64_t identity;
  };
  /// Adds the next slot; `chain` top down, level ascending; may be empty.
  void add_slot(const std::vector<Step>& chain);
  std::uint32_t slots() const { return slots_; }
  /// The levels in the order of the names. Leaves this empty.
  std::vector<Grouping> take() { return std::move(levels_); }

 private:
  std::vector<Grouping> levels_;
  std::unordered_map<std::uint64_t, std::uint32_t> ids_;
  std::uint32_t slots_ = 0;
};

/// A normal object of one topology, by its place there.
struct HwlocStep {
  unsigned depth;
  unsigned logical_index;
  /// Unique in the topology, below 2^32 (load_xml() sees to the ranges), not 0 except for the root.
  std::uint64_t identity() const { return (std::uint64_t{depth} << 24) | logical_index; }
};
/// The objects above and including `object`, top down, without the root.
std::vector<HwlocStep> chain_above(const hwloc_obj* object);

// What hwloc has no place for, kept in the infos of the root: costs of levels, and nodes.

struct KithNotes {
  std::uint64_t nodes = 0;  ///< 0: nothing known
  std::vector<std::string> node_names = {};
  std::vector<std::uint64_t> costs = {};  ///< of the levels that tell slots apart; empty: hops
  std::uint64_t cost_scale = 1;
};

void write_notes(hwloc_topology* topology, const KithNotes& notes);
/// If a topology has no notes: empty ones.
KithNotes read_notes(hwloc_topology* topology);
/// Puts into a tree what of the notes fits it: people edit files.
void apply_notes(KithNotes notes, TreeDescription& tree);

}  // namespace kith
