// The functions of MPI that libkith.so defines, and the callbacks that a program hands to them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
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

// Callbacks without a state of their own: one function of ours stands for each of theirs.

/// Numbers the callbacks that a program hands over, for good: there is no sign when the library has
/// no more use for one. Constant-initialised, thread safe.
template <class Function, std::size_t Room>
class KnownCallbacks {
 public:
  static constexpr std::size_t room = Room;

  /// The same number for the same function, or `room` where no number is left.
  std::size_t number_of(Function theirs) {
    for (std::size_t i = 0; i < room; ++i) {
      Function known = nullptr;
      if (known_[i].compare_exchange_strong(known, theirs) || known == theirs) return i;
    }
    return room;
  }

  Function operator[](std::size_t number) const { return known_[number].load(); }

 private:
  std::array<std::atomic<Function>, Room> known_{};
};

/// Set while bindings for Fortran hand callbacks of theirs to functions of C.
inline thread_local bool fortran_hands_over = false;

}  // namespace kith::interpose
