// Buffered text output to a file descriptor, without exceptions.
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
  FdWriter& operator<<(std::string_view piece) {
    text(piece);
    return *this;
  }
  FdWriter& operator<<(std::uint64_t value) {
    number(value);
    return *this;
  }

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

}  // namespace kith
