// How Scotch numbers the parts of a decomposed target.
#pragma once

#include <cstdint>
#include <vector>

namespace kith {

/// Appends the domains of a recursive bisection of `count` terminals that are terminals, in order:
/// domain i is divided into 2 i, one terminal larger where they are odd, and 2 i + 1.
inline void number_domains(std::uint64_t domain, std::uint64_t count,
                           std::vector<std::uint64_t>& out) {
  if (count == 1) {
    out.push_back(domain);
    return;
  }
  number_domains(2 * domain, count - count / 2, out);
  number_domains(2 * domain + 1, count / 2, out);
}

}  // namespace kith
