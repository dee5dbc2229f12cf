// Ranks that hold data: what moving it costs, against what the new order saves while the run lasts.
#pragma once

#include <cstdint>

#include "kith/reorder.hpp"

namespace kith {

/// Both in the objective's unit: bytes x distance (hops, or costs of the machine). Holds references
/// to its arguments.
class StateCost {
 public:
  StateCost(const Machine& machine, const Mapping& present, const ReorderOptions& options)
      : machine_(machine), present_(present), options_(options) {}

  /// Whether moving costs anything.
  bool counts() const { return options_.has_state && options_.state_bytes > 0; }
  /// Of moving every rank's data from where it is to where `order` has it.
  double of_moving_to(const Mapping& order) const {
    return options_.state_bytes * distance_to(order) / scale();
  }
  /// What an order with these metrics saves, compared with the present one.
  double saving(const Metrics& before, const Metrics& after) const;
  /// MapOptions::move_cost for a search whose ranks move about as far as in `order`, in which some
  /// do.
  std::uint64_t move_cost_like(const Mapping& order) const;

 private:
  double distance_to(const Mapping& order) const;  ///< of all ranks together, in exact units
  double scale() const;                            ///< exact units in one of the objective

  const Machine& machine_;
  const Mapping& present_;
  const ReorderOptions& options_;
};

}  // namespace kith
