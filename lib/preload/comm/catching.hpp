// Catching for code that is compiled without exceptions.
//
// Exceptions of the program, and the end of its threads, pass through the wrappers of
// lib/preload/interpose. A wrapper that had something to clean up would stop them: its part of the
// unwinding runs in libkith.so's own copy of the unwinder, which does not know the program's. So
// the wrappers are compiled without exceptions, and what may throw for want of memory is called
// from here.
#pragma once

#include <type_traits>

namespace kith::preload {

/// Calls act(state). False where that threw.
bool done_without_exception(void (*act)(void* state), void* state) noexcept;

/// Calls act(). False where that threw; what it had allocated by then is lost.
template <class Act>
bool done_without_exception(Act&& act) noexcept {
  using Stored = std::remove_reference_t<Act>;
  return done_without_exception([](void* state) { (*static_cast<Stored*>(state))(); }, &act);
}

}  // namespace kith::preload
