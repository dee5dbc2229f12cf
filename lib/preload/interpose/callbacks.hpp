// Callbacks without a state of their own: one function of ours stands for each of theirs.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace kith::interpose {

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
