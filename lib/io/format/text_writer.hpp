// Buffered text output to a file descriptor, without exceptions.
// Everything in this folder needs the standard library only: libkith.so compiles it too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kith {

/// Borrows the descriptor: closing it is the caller's. After the first failed write the rest is
/// swallowed; flush() or ok() tells. Not thread-safe. The object holds its buffer (64 KiB).
class FdWriter {
 public:
  explicit FdWriter(int fd) : fd_(fd) {}
  FdWriter(const FdWriter&) = delete;
  FdWriter& operator=(const FdWriter&) = delete;

  void put(char c) {
    if (used_ == sizeof buffer_) drain();
    buffer_[used_++] = c;
  }
  void text(std::string_view text);
  void number(std::uint64_t value);

  /// Writes out what is buffered. False when this or any earlier write failed.
  bool flush();
  bool ok() const { return errno_ == 0; }
  /// "No space left on device"; empty while ok().
  std::string error() const;

 private:
  void drain();

  int fd_;
  int errno_ = 0;
  std::size_t used_ = 0;
  char buffer_[std::size_t{1} << 16];
};

// Matrix Market, coordinate integer, streamed: https://math.nist.gov/MatrixMarket/formats.html

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
