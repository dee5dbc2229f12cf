// Digests. Not for security.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kith {

/// For tables in memory: one more word of what is hashed.
constexpr std::uint64_t hash_with(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 29U;
}

/// FNV-1a, 64 bits: names files' contents and host lists.
class Digest {
 public:
  Digest& add(std::string_view text) {
    for (const char c : text) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return *this;
  }
  std::uint64_t value() const { return state_; }
  /// 16 hexadecimal digits.
  std::string hex() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out(16, '0');
    for (int i = 0; i < 16; ++i) out[i] = digits[(state_ >> (60 - 4 * i)) & 15];
    return out;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace kith
