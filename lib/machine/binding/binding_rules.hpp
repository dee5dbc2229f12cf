// What may be wrong with the binding of a host's ranks: one table of rules, a function each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/binding/host_binding.hpp"

namespace kith {

/// What a rule finds on a host.
struct Finding {
  std::vector<std::uint32_t> ranks;
  std::string what;
  std::string mend;
};

struct BindingRule {
  std::string_view name;  ///< BindingFault::rule
  std::optional<Finding> (*judge)(const HostBinding& host);
};
std::span<const BindingRule> binding_rules();

}  // namespace kith
