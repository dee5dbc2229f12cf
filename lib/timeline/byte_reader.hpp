// Numbers out of a file's bytes that nobody vouches for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace kith::timeline {

/// Reads from the front. Throws Error with the file's name and the place for all that does not fit.
class ByteReader {
 public:
  /// `first` is the place of the first byte in the file of that name.
  ByteReader(std::string_view name, std::string_view bytes, std::uint64_t first = 0)
      : name_(name), bytes_(bytes), first_(first) {}

  /// LEB128 (Packer::put_number).
  std::uint64_t number(std::string_view what);
  /// A number from 0 to `most`.
  std::uint64_t number_to(std::uint64_t most, std::string_view what);
  std::uint32_t number32(std::string_view what) {
    return static_cast<std::uint32_t>(number_to(UINT32_MAX, what));
  }
  /// A signed number (zigzag()).
  std::int64_t signed_number(std::string_view what);
  /// Of things that take at least `least_bytes` bytes each: no more than there are bytes.
  std::size_t count(std::string_view what, std::size_t least_bytes = 1);
  std::string_view bytes(std::uint64_t size, std::string_view what);
  /// A count of bytes, and they.
  std::string_view text(std::string_view what) { return bytes(number(what), what); }
  /// A finite number that is not negative.
  double seconds(std::string_view what);
  template <class T>
  T plain(std::string_view what) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    std::memcpy(&value, bytes(sizeof value, what).data(), sizeof value);
    return value;
  }
  void expect_end(std::string_view of);

  /// Refuses what begins at byte `at` (of what was given to this reader).
  [[noreturn]] void refuse_at(std::size_t at, std::string_view expected,
                              std::string_view found) const;
  [[noreturn]] void refuse(std::string_view expected, std::string_view found) const {
    refuse_at(at_, expected, found);
  }

  std::size_t at() const { return at_; }
  std::uint64_t place() const { return first_ + at_; }  ///< in the file
  std::size_t remaining() const { return bytes_.size() - at_; }
  bool done() const { return at_ == bytes_.size(); }
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
  std::string_view bytes_;
  std::uint64_t first_;
  std::size_t at_ = 0;
};

/// Signed numbers of small magnitude as small numbers: 0, -1, 1, -2, ...
constexpr std::uint64_t zigzag(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return bits << 1U ^ (0 - (bits >> 63U));
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U ^ (0 - (value & 1U)));
}

}  // namespace kith::timeline
