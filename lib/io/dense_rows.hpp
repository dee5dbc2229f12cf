// What the two dense text formats share.
#pragma once

#include <cstdint>

#include "io/format/fd_writer.hpp"
#include "io/weights.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Calls next_value() until it gives an empty word and adds the values of row `source`; there must
/// be ranks() of them.
template <class NextValue>
void read_dense_row(const LineReader& in, Rank source, TrafficMatrixBuilder& builder,
                    NextValue next_value) {
  const std::uint32_t n = builder.ranks();
  std::uint32_t column = 0;
  for (auto word = next_value(); !word.empty(); word = next_value(), ++column) {
    if (column == n) {
      throw in.error(std::to_string(n) + " values in a row, as in the first",
                     "one more: " + in_quotes(word));
    }
    const Weight weight = read_weight(in, word);
    if (weight != 0) builder.add(source, Rank{column}, weight);
  }
  if (column != n) {
    throw in.error(std::to_string(n) + " values in a row, as in the first", std::to_string(column));
  }
}

/// Row `source` with its zeros.
inline void write_dense_row(FdWriter& out, const TrafficMatrix& matrix, Rank source,
                            char separator) {
  const auto destinations = matrix.destinations(source);
  const auto weights = matrix.weights(source);
  std::size_t next = 0;
  for (std::uint32_t column = 0; column < matrix.ranks(); ++column) {
    if (column > 0) out.put(separator);
    const bool there = next < destinations.size() && destinations[next].value == column;
    out.number(there ? weights[next++] : 0);
  }
  out.put('\n');
}

}  // namespace kith
