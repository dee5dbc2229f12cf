// What was measured between two hosts.
#pragma once

#include <cstdint>

namespace kith {

/// Both directions count alike: values are their mean.
struct MeasuredPair {
  std::uint32_t a = 0;  ///< hosts, by index
  std::uint32_t b = 0;
  double cost = 0;             ///< picoseconds a byte takes in messages of 64 KiB; 0: not known
  double latency_us = 0;       ///< of a small message, one way; 0: not known
  double megabytes_per_s = 0;  ///< of large messages, one way; 0: not known
};

/// A number between two hosts, of which a smaller one means nearer.
struct PairValue {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double value = 0;  ///< more than 0
};

}  // namespace kith
