// The best mapping that a search has found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/value.hpp"

namespace kith {

/// Starts with the identity and, where the problem says where the ranks are now, with staying
/// there, so that no answer is worse.
class Incumbent {
 public:
  /// `problem` must outlive this.
  explicit Incumbent(const MapProblem& problem);

  /// Puts fixed ranks in place, fills short slots and keeps the mapping if its value is below the
  /// best so far; true if it is. `explanation`: what the user should know of it if it wins.
  bool offer(Mapping mapping, std::string_view made_by, std::vector<std::string> explanation = {});

  const Mapping& mapping() const { return best_.mapping; }
  std::string_view made_by() const { return best_.made_by; }
  const MappingValue& value() const { return value_; }
  const MappingValue& identity_value() const { return identity_value_; }
  Mapper::Answer take() { return std::move(best_); }

 private:
  const MapProblem& problem_;
  MappingValuer valuer_;
  Mapper::Answer best_;
  MappingValue value_;
  MappingValue identity_value_;
};

}  // namespace kith
