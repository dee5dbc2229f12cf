#include "timeline/list_code.hpp"

namespace kith::timeline {
namespace {

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
    for (std::size_t f = 0; f < width; ++f)
      writer.put(zigzag(static_cast<std::int64_t>(step(at, f))));
    at = end;
  }
  return writer.needed();
}

}  // namespace kith::timeline
