// The functions of MPI that libkith.so defines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace kith::interpose {

/// Their names, sorted by the generator; each ends with a null character.
inline constexpr std::string_view intercepted[] = {
#define KITH_INTERCEPTED(name) #name,
#include "interpose/intercepted.inc"
#undef KITH_INTERCEPTED
};
inline constexpr std::size_t intercepted_count = std::size(intercepted);
static_assert(std::is_sorted(std::begin(intercepted), std::end(intercepted)));

/// The place of MPI_X in the list; intercepted_count where it is not there. No look-up of symbols:
/// for callbacks of dl_iterate_phdr.
inline std::size_t intercepted_number(std::string_view name) {
  const auto* const found = std::lower_bound(std::begin(intercepted), std::end(intercepted), name);
  const bool is_known = found != std::end(intercepted) && *found == name;
  return is_known ? static_cast<std::size_t>(found - std::begin(intercepted)) : intercepted_count;
}

}  // namespace kith::interpose
