#include "protocol/packer.hpp"

#include <stdexcept>

namespace kith {

std::uint64_t Unpacker::get_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(get<char>());
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a message between processes holds no number where one belongs");
}

std::string_view Unpacker::need(std::uint64_t size) const {
  if (size > rest_.size()) throw std::runtime_error("a message between processes was cut short");
  return rest_.substr(0, size);
}

}  // namespace kith
