// Values as bytes, between processes of one job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kith {

/// Plain values in and out of a byte string; both ends run on machines of one kind.
class Packer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    bytes_.append(text);
  }
  /// A number in as few bytes as it needs: seven bits in each, low ones first, the top bit set in
  /// all but the last (LEB128, as DWARF has it).
  void put_number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  void put_bytes(std::string_view bytes) { bytes_.append(bytes); }
  std::size_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Throws std::runtime_error where the bytes end early (in messages.cpp: some sources that include
/// this are compiled without exceptions).
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    get_bytes(sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::string_view get_text() { return get_bytes(get<std::uint64_t>()); }
  std::uint64_t get_number();
  std::string_view get_bytes(std::uint64_t size);
  std::size_t remaining() const { return rest_.size(); }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace kith
