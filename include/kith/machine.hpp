// Slots and the distances between them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/types.hpp"

namespace kith {

/// An ascending set of slots, kept as intervals: "all of 16.7 million" costs 16 bytes.
class SlotSet {
 public:
  struct Interval {
    Slot first;
    Slot last;  ///< inclusive
    bool operator==(const Interval&) const = default;
  };

  SlotSet() = default;
  /// Slots 0 .. count-1.
  static SlotSet all(std::uint32_t count);
  /// Any order, duplicates allowed.
  static SlotSet of(std::vector<Slot> slots);
  /// Any order, overlaps allowed.
  static SlotSet of(std::vector<Interval> intervals);
  /// "0-7,16-23", or the name of a file with such lists, one or more per line, '#' comments.
  /// Slots from `slots` on are refused: the machine does not have them. `option` names the culprit
  /// in errors; in a file FILE:LINE does. Throws Error (input).
  static SlotSet parse(std::string_view text, std::string_view option,
                       std::uint64_t slots = max_index_count);

  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(Slot slot) const;
  /// The i-th slot in ascending order; O(log intervals). Precondition: i < size().
  Slot at(std::uint64_t i) const;
  /// How many members are below `slot`: the inverse of at(). O(log intervals).
  std::uint64_t index_of(Slot slot) const;
  std::span<const Interval> intervals() const { return intervals_; }
  /// All members, ascending; 4 bytes each.
  std::vector<Slot> to_vector() const;
  SlotSet without(const SlotSet& other) const;
  SlotSet intersected(const SlotSet& other) const;
  bool operator==(const SlotSet& other) const { return intervals_ == other.intervals_; }

 private:
  void append(Interval interval);
  std::vector<Interval> intervals_;
  std::vector<std::uint64_t> before_;  // members in earlier intervals
  std::uint64_t size_ = 0;
};

/// One level of a hierarchical machine.
struct Level {
  std::string name;            ///< "network", "host", "package", ... or "level0", top down
  std::uint64_t objects = 0;   ///< how many objects of this level the machine has
  std::uint64_t cost = 0;      ///< between two slots that meet here, in 1/cost_scale
  double latency_us = 0;       ///< measured, of a small message, one way; 0: not known
  double megabytes_per_s = 0;  ///< measured, of large messages, one way; 0: not known
  double burst_bytes = 0;      ///< measured: that pass at once after a pause, above the bandwidth
  double overhead_us = 0;      ///< measured: that a small send keeps its sender; 0: not known
  double shared_megabytes_per_s = 0;  ///< measured, of all messages of a host that meet here
                                      ///< together; 0: not known
  double eager_bytes = 0;  ///< measured: largest message that does not wait for its receive; 0: not
                           ///< known
};

class TreeMachine;
class NetworkMachine;

/// What mappers and metrics see of a machine. Immutable; safe to share between threads.
class Machine {
 public:
  virtual ~Machine() = default;

  virtual std::string_view kind() const = 0;  ///< "tree", "job", ...
  /// The text that made it, without the slots= suffix.
  const std::string& spec() const { return spec_; }

  /// Slots of the whole machine, in use or not.
  std::uint32_t slots() const { return slots_; }
  /// Those that may be used.
  const SlotSet& allowed() const { return allowed_; }

  /// Network hops or, in a tree, 2 x levels up to the lowest common ancestor. 0 on one slot.
  virtual std::uint64_t hops(Slot a, Slot b) const = 0;
  /// Cost between two slots in units of 1/cost_scale(); equals hops() where the machine has none.
  virtual std::uint64_t cost(Slot a, Slot b) const = 0;
  /// True when the user gave or a probe measured costs: then the default objective is sum-com.
  virtual bool has_costs() const = 0;
  /// Costs are kept as integers so that sums are exact: 1 for integral costs, 10, 100, ... else.
  virtual std::uint64_t cost_scale() const = 0;

  /// Cost between two different slots that are as near as the machine's lowest level puts them;
  /// what two ranks on one slot count in mapping_quality.
  virtual std::uint64_t lowest_cost() const = 0;

  /// Number of hosts ("nodes" of the network).
  virtual std::uint64_t nodes() const = 0;
  /// The node that a slot belongs to, 0 .. nodes()-1.
  virtual std::uint64_t node_of(Slot slot) const = 0;
  /// Its name where the source gives one, else "node" and its number.
  std::string node_name(std::uint64_t node) const;
  /// Names of all nodes; empty where the source gives none.
  std::span<const std::string> node_names() const;
  /// Processing units (hardware threads) below the slots; slots() where nothing finer is known.
  std::uint64_t pus() const { return pus_; }
  /// The tree itself where the machine is one.
  virtual const TreeMachine* as_tree() const { return nullptr; }
  /// The machine as nodes of a network where it is given so (torus, dragonfly, ...).
  virtual const NetworkMachine* as_network() const { return nullptr; }
  /// Extents of a grid; empty for anything else.
  virtual std::vector<std::uint32_t> dims() const { return {}; }

  /// The same machine with fewer allowed slots. Throws Error (input) for slots it does not have, or
  /// when none is left.
  std::unique_ptr<Machine> restricted_to(const SlotSet& slots) const;

  /// Digest of the hosts of a job (see job.hpp); empty where the machine names none.
  const std::string& hosts_digest() const { return hosts_digest_; }

 protected:
  Machine() = default;
  Machine(const Machine&) = default;
  Machine& operator=(const Machine&) = default;
  /// A cheap copy: large tables are shared.
  virtual std::unique_ptr<Machine> clone() const = 0;

  std::string spec_;
  std::uint32_t slots_ = 0;
  std::uint64_t pus_ = 0;
  SlotSet allowed_;
  std::string hosts_digest_;
  std::shared_ptr<const std::vector<std::string>> node_names_;  // null: none
};

struct JobDescription;  // kith/detail/job.hpp
struct ThisHost;        // kith/detail/job.hpp
class CpuSet;           // kith/detail/job.hpp

/// What hwloc machines call a slot.
enum class Granularity { core, pu };

/// Reads a SPEC (`tree:4x2x8@100,10,1`, `this`, `job`, ...) with suffixes: `;slots=0-7,16` and
/// `;nodes=tux[0-3]:4` keep slots, `;tree=2x8` is the tree in each node of hosts: and slurm:,
/// `;network=FILE` what lies between a job's hosts.
/// `job` gives meaning to the spec "job". `where` names the culprit in errors.
/// Throws Error (input) with what was expected and found.
std::unique_ptr<Machine> parse_machine(std::string_view spec, const JobDescription* job = nullptr,
                                       std::string_view where = "topology",
                                       Granularity granularity = Granularity::core);

/// One example of each kind of SPEC: "tree:64x2x8, torus:16x16x16, ...".
std::string spec_examples();

/// This host as hwloc sees it: what the operating system allows (cgroups), whatever this process is
/// bound to; and of what is hidden from this process those CPUs of `used`: ranks of one host may
/// have been given different ones. The XML is reduced to what places processes, so that equal hosts
/// have equal digests: no host name, serial number or memory size. Throws Error (environment) when
/// hwloc fails.
ThisHost discover_this_host(const CpuSet& used);

}  // namespace kith
