// Independent work on several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>

namespace kith {

/// Calls body(i) for i = 0 .. count-1, each once, on up to `threads` threads, one of them the
/// caller's; without OpenMP one after the other. Rethrows one of the exceptions.
template <class Body>
void parallel_for(unsigned threads, std::uint32_t count, const Body& body) {
#ifdef _OPENMP
  constexpr unsigned most_threads = 256;  // more would only fail to start
  const auto used = static_cast<int>(std::min({threads, count, most_threads}));
  if (used > 1) {
    std::exception_ptr failure;  // may not leave the parallel region
#pragma omp parallel for schedule(dynamic) num_threads(used)
    for (std::uint32_t i = 0; i < count; ++i) {
      try {
        body(i);
      } catch (...) {
#pragma omp critical
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    return;
  }
#else
  static_cast<void>(threads);
#endif
  for (std::uint32_t i = 0; i < count; ++i) body(i);
}

}  // namespace kith
