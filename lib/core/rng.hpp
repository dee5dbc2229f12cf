// The one source of randomness: the same numbers on every platform and standard library.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace kith {

/// std::mt19937_64 with our own distributions (the standard's differ between libraries).
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t next() { return engine_(); }
  /// In [0, 1), 53 bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// In 0 .. bound-1, by remainder.
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

 private:
  std::mt19937_64 engine_;
};

/// p = 0 .. n-1; for i = n-1 .. 1: swap(p[i], p[r mod (i+1)]).
inline std::vector<std::uint32_t> random_permutation(std::uint32_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> p(n);
  std::iota(p.begin(), p.end(), 0U);
  Rng rng(seed);
  for (std::uint32_t i = n; i-- > 1;) std::swap(p[i], p[rng.below(i + 1ULL)]);
  return p;
}

}  // namespace kith
