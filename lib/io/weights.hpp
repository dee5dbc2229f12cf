// The numbers of traffic files.
#pragma once

#include <charconv>

#include "core/line_reader.hpp"
#include "kith/detail/types.hpp"

namespace kith {

/// A count of ranks: at least 1, and no more than such a file can be about (a short file must not
/// cost gigabytes).
std::uint32_t read_rank_count(const LineReader& in, std::string_view word, std::string_view what);

/// The slow path of read_weight(): reals, and what is wrong with the rest.
Weight read_real_weight(const LineReader& in, std::string_view word);

/// A weight: a whole number below 2^64, written as integer or real ("12", "1.2e1"). Throws the
/// reader's error for negative numbers, for fractions (with the factor that would make them whole),
/// for anything else.
inline Weight read_weight(const LineReader& in, std::string_view word) {
  Weight value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (stop == end && error == std::errc{}) return value;
  return read_real_weight(in, word);
}

}  // namespace kith
