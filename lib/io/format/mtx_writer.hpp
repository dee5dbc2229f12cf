// Matrix Market, coordinate integer, streamed: https://math.nist.gov/MatrixMarket/formats.html
// Everything in this folder needs the standard library only: libkith.so compiles it too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/fd_writer.hpp"

namespace kith {

enum class MtxSymmetry {
  general,
  symmetric,  ///< each entry stands for both directions and is given once, row >= column
};

/// Writes the header when made, then one line per entry. No exceptions: mistakes (an index out of
/// range, an entry above the diagonal of a symmetric matrix, more or fewer entries than promised)
/// and failed writes show in finish(). Borrows the descriptor.
class MtxWriter {
 public:
  /// `entries` is how many entry() calls will follow. `comment` may be empty or of several lines.
  MtxWriter(int fd, std::uint32_t ranks, std::uint64_t entries, MtxSymmetry symmetry,
            std::string_view comment = {});

  /// `row` sent `weight` to `column`; both count from 0.
  void entry(std::uint32_t row, std::uint32_t column, std::uint64_t weight) {
    if (row >= ranks_ || column >= ranks_ || (symmetric_ && column > row)) misplaced_ = true;
    ++written_;
    out_.number(std::uint64_t{row} + 1);
    out_.put(' ');
    out_.number(std::uint64_t{column} + 1);
    out_.put(' ');
    out_.number(weight);
    out_.put('\n');
  }

  /// Writes out the rest. True when the whole matrix has been written and is as promised.
  bool finish();
  /// Why finish() said false, in words; empty when it said true.
  std::string error() const;

 private:
  FdWriter out_;
  std::uint32_t ranks_;
  bool symmetric_;
  bool misplaced_ = false;
  std::uint64_t promised_;
  std::uint64_t written_ = 0;
};

}  // namespace kith
