// What all patterns ask of their parameters.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "kith/detail/types.hpp"
#include "kith/error.hpp"

namespace kith {

inline void check_pattern_ranks(std::uint64_t ranks) {
  if (ranks == 0 || ranks > max_index_count) {
    throw bad_input("ranks of the pattern", "1 to " + std::to_string(max_index_count),
                    std::to_string(ranks));
  }
}

inline void check_power_of_two(std::uint32_t ranks, const std::string& pattern) {
  if (std::has_single_bit(ranks)) return;
  throw bad_input("ranks of the " + pattern + " pattern", "a power of two (1, 2, 4, ...)",
                  std::to_string(ranks));
}

}  // namespace kith
