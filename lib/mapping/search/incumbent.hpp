// The best mapping that a search has found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kith/mapper.hpp"
#include "mapping/value.hpp"

namespace kith {

/// The mapping with fixed ranks in place and no slot below options.least, turned towards
/// options.from where that leaves the objective as it is.
Mapping with_constraints(const MapProblem& problem, Mapping mapping);

/// A mapping that a step of a search has found.
struct Proposal {
  Mapping mapping;
  std::string made_by;  ///< an algorithm's name, as find_algorithm() knows it; or "stay"
  std::string how;      ///< for the user: "multilevel division"
};

/// Starts with the identity and, where the problem says where the ranks are now, with staying
/// there, so that no answer is worse.
class Incumbent {
 public:
  /// `problem` must outlive this.
  explicit Incumbent(const MapProblem& problem);

  /// Sees to the constraints, takes back moves away from options.from that do not pay, and keeps
  /// the mapping if its value is below the best so far; true if it is.
  bool offer(Proposal proposal);
  /// A mapping made from the best so far: who made that one stays its maker, but `made_by` takes
  /// over from the starts.
  bool offer_refined(Mapping mapping, std::string_view made_by);

  const Mapping& mapping() const { return best_.mapping; }
  const std::string& made_by() const { return best_.made_by; }
  const std::string& how() const { return best_.how; }
  const MappingValue& value() const { return value_; }
  const MappingValue& identity_value() const { return identity_value_; }
  /// What has identity_value(): the present order, or what the fixed ranks leave of it.
  const std::string& identity_name() const { return identity_name_; }
  bool is_refined() const { return refined_; }
  /// Nothing better than the starts was found.
  bool is_start() const { return is_start_; }

 private:
  bool keep_if_better(Mapping mapping);

  const MapProblem& problem_;
  MappingValuer valuer_;
  Proposal best_;
  MappingValue value_;
  MappingValue identity_value_;
  std::string identity_name_;
  bool is_start_ = true;
  bool refined_ = false;
  std::optional<Mapping> present_;
};

}  // namespace kith
