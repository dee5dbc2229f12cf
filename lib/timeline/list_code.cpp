#include "timeline/list_code.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kith::timeline {
namespace {

constexpr int most_fields = 8;

std::uint64_t folded(std::uint64_t value) {
  return value << 1U ^ (0 - (value >> 63U));
}

std::uint64_t unfolded(std::uint64_t value) {
  return value >> 1U ^ (0 - (value & 1U));
}

/// Appends numbers while there is room, and counts what all of them need.
class Writer {
 public:
  Writer(char* out, std::size_t capacity) : out_(out), capacity_(capacity) {}
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) put_byte(static_cast<char>(value | 0x80U));
    put_byte(static_cast<char>(value));
  }
  std::size_t needed() const { return needed_; }

 private:
  void put_byte(char byte) {
    if (needed_ < capacity_) out_[needed_] = byte;
    ++needed_;
  }

  char* out_;
  std::size_t capacity_;
  std::size_t needed_ = 0;
};

std::uint64_t get(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at == bytes.size()) break;
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  throw std::runtime_error("a list of a timeline ends early");
}

}  // namespace

std::size_t encode_list(std::span<const std::int64_t> numbers, int fields, char* out,
                        std::size_t capacity) {
  Writer writer(out, capacity);
  const auto width = static_cast<std::size_t>(fields);
  // Differences wrap around: they come back whatever the numbers are.
  const auto step = [&](std::size_t at, std::size_t field) {
    const auto now = static_cast<std::uint64_t>(numbers[at + field]);
    return at == 0 ? now : now - static_cast<std::uint64_t>(numbers[at + field - width]);
  };
  for (std::size_t at = 0; at < numbers.size();) {
    std::size_t end = at + width;
    const auto goes_on = [&] {
      for (std::size_t f = 0; f < width; ++f) {
        if (step(end, f) != step(at, f)) return false;
      }
      return true;
    };
    while (end < numbers.size() && goes_on()) end += width;
    writer.put((end - at) / width);
    for (std::size_t f = 0; f < width; ++f) writer.put(folded(step(at, f)));
    at = end;
  }
  return writer.needed();
}

std::vector<std::int64_t> decode_list(std::string_view bytes, int fields, std::size_t most) {
  const auto width = static_cast<std::size_t>(fields);
  std::array<std::uint64_t, most_fields> entry{};
  std::array<std::uint64_t, most_fields> steps{};
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t entries = get(bytes, at);
    for (std::size_t f = 0; f < width; ++f) steps[f] = unfolded(get(bytes, at));
    if (entries == 0 || entries > most || numbers.size() / width > most - entries) {
      throw std::runtime_error("a list of a timeline is too long");
    }
    for (std::uint64_t i = 0; i < entries; ++i) {
      for (std::size_t f = 0; f < width; ++f) {
        entry[f] += steps[f];
        numbers.push_back(static_cast<std::int64_t>(entry[f]));
      }
    }
  }
  return numbers;
}

}  // namespace kith::timeline
