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

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014):
/// some five times faster than Rng, for searches that ask for billions of numbers.
class QuickRng {
 public:
  explicit QuickRng(std::uint64_t seed) : state_(seed * 0xd1342543de82ef95U) {}
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
  }
  /// In [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// In 0 .. bound-1, by the high half of a product.
  std::uint32_t below(std::uint32_t bound) { return scaled(next() >> 32, bound); }
  /// 32 random bits as a number in 0 .. bound-1.
  static std::uint32_t scaled(std::uint64_t bits, std::uint32_t bound) {
    return static_cast<std::uint32_t>(bits * bound >> 32);
  }

 private:
  std::uint64_t state_;
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
