// One mapping in a process of its own, so that time and memory are its own, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kith/mapper.hpp"
#include "mapper_tables/instance.hpp"

namespace kith::bench {

/// What a process may take.
struct Limits {
  std::uint64_t cpu_s = 30;
  std::uint64_t memory_mb = 8000;
};

/// How an instance is mapped. `objective` empty: the machine's usual one.
struct Way {
  std::string algorithm;
  Effort effort = Effort::balanced;
  unsigned threads = 1;
  std::optional<Objective> objective = std::nullopt;
};

/// What came of it. Objectives are in the units of the reference: a pair's weight counts once, as
/// the generators give it, so half of what `kith eval` prints.
struct Outcome {
  enum class End {
    done,
    out_of_time,
    out_of_memory,
    refused,  ///< by the mapper, or it crashed: see `complaint`
  };
  End end = End::refused;
  double objective = 0;
  double identity = 0;
  double bound = 0;         ///< no mapping is below; 0: not known
  double total_weight = 0;  ///< of all pairs
  double cpu_s = 0;         ///< of all threads and child processes
  double wall_s = 0;
  std::uint64_t peak_mb = 0;   ///< while mapping, the input included
  std::uint64_t input_mb = 0;  ///< of it, before mapping began
  std::string complaint;       ///< one line

  bool done() const { return end == End::done; }
  double ratio() const { return identity == 0 ? 1 : objective / identity; }
};

/// In the units of Outcome.
double objective_of(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping,
                    Objective objective);

Outcome measure(const Instance& instance, const Way& way, const Limits& limits);

}  // namespace kith::bench
