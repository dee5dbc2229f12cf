#include "sharing/vector_displacement.hpp"

#include <algorithm>
#include <iterator>

namespace kith::sharing {
namespace {

constexpr unsigned any = 4;  // of the prefixes

/// Units that are no whole vector. 1 to 64: bytes; else one of the following.
enum Unit : std::uint8_t {
  half = 101,  // of a vector
  quarter,
  eighth,
  element,         // 4 bytes, or 8 where the instruction is wide
  half_or_vector,  // the vector where it is wide
  low_or_vector,   // 8 bytes of the shortest vector
};

struct Exception {
  std::uint8_t map;
  std::uint8_t first;
  std::uint8_t last;
  std::uint8_t prefix;
  std::uint8_t unit;
};

constexpr Exception exceptions[] = {
    {1, 0x10, 0x11, 2, 4},
    {1, 0x10, 0x11, 3, 8},
    {1, 0x12, 0x12, 0, 8},
    {1, 0x12, 0x12, 1, 8},
    {1, 0x12, 0x12, 3, low_or_vector},
    {1, 0x13, 0x13, any, 8},
    {1, 0x16, 0x16, 0, 8},
    {1, 0x16, 0x16, 1, 8},
    {1, 0x17, 0x17, any, 8},
    {1, 0x2a, 0x2a, any, element},
    {1, 0x2c, 0x2d, 2, 4},
    {1, 0x2c, 0x2d, 3, 8},
    {1, 0x2e, 0x2f, 0, 4},
    {1, 0x2e, 0x2f, 1, 8},
    {1, 0x5a, 0x5a, 0, half},
    {1, 0x51, 0x5f, 2, 4},
    {1, 0x51, 0x5f, 3, 8},
    {1, 0x6e, 0x6e, any, element},
    {1, 0x7e, 0x7e, 2, 8},
    {1, 0x7e, 0x7e, any, element},
    {1, 0x78, 0x79, 1, half_or_vector},
    {1, 0x78, 0x79, 2, 4},
    {1, 0x78, 0x79, 3, 8},
    {1, 0x7a, 0x7a, 1, half_or_vector},
    {1, 0x7a, 0x7a, 2, half_or_vector},
    {1, 0x7b, 0x7b, 1, half_or_vector},
    {1, 0x7b, 0x7b, any, element},
    {1, 0xc2, 0xc2, 2, 4},
    {1, 0xc2, 0xc2, 3, 8},
    {1, 0xc4, 0xc4, any, 2},
    {1, 0xd1, 0xd3, any, 16},
    {1, 0xd6, 0xd6, any, 8},
    {1, 0xe1, 0xe2, any, 16},
    {1, 0xe6, 0xe6, 2, half_or_vector},
    {1, 0xf1, 0xf3, any, 16},
    {2, 0x10, 0x10, 2, half},
    {2, 0x11, 0x11, 2, quarter},
    {2, 0x12, 0x12, 2, eighth},
    {2, 0x13, 0x13, any, half},
    {2, 0x14, 0x14, 2, quarter},
    {2, 0x15, 0x15, 2, half},
    {2, 0x18, 0x18, any, 4},
    {2, 0x19, 0x19, any, 8},
    {2, 0x1a, 0x1a, any, 16},
    {2, 0x1b, 0x1b, any, 32},
    {2, 0x20, 0x20, any, half},
    {2, 0x21, 0x21, any, quarter},
    {2, 0x22, 0x22, any, eighth},
    {2, 0x23, 0x23, any, half},
    {2, 0x24, 0x24, any, quarter},
    {2, 0x25, 0x25, any, half},
    {2, 0x2d, 0x2d, any, element},
    {2, 0x30, 0x30, any, half},
    {2, 0x31, 0x31, any, quarter},
    {2, 0x32, 0x32, any, eighth},
    {2, 0x33, 0x33, any, half},
    {2, 0x34, 0x34, any, quarter},
    {2, 0x35, 0x35, any, half},
    {2, 0x43, 0x43, any, element},
    {2, 0x4d, 0x4d, any, element},
    {2, 0x4f, 0x4f, any, element},
    {2, 0x58, 0x58, any, 4},
    {2, 0x59, 0x59, any, 8},
    {2, 0x5a, 0x5a, any, 16},
    {2, 0x5b, 0x5b, any, 32},
    {2, 0x78, 0x78, any, 1},
    {2, 0x79, 0x79, any, 2},
    {2, 0x88, 0x8b, any, element},
    {2, 0x90, 0x93, any, element},
    {2, 0xa0, 0xa3, any, element},
    {2, 0x99, 0x99, any, element},
    {2, 0x9b, 0x9b, any, element},
    {2, 0x9d, 0x9d, any, element},
    {2, 0x9f, 0x9f, any, element},
    {2, 0xa9, 0xa9, any, element},
    {2, 0xab, 0xab, any, element},
    {2, 0xad, 0xad, any, element},
    {2, 0xaf, 0xaf, any, element},
    {2, 0xb9, 0xb9, any, element},
    {2, 0xbb, 0xbb, any, element},
    {2, 0xbd, 0xbd, any, element},
    {2, 0xbf, 0xbf, any, element},
    {2, 0xc6, 0xc7, any, element},
    {2, 0xcb, 0xcb, any, element},
    {2, 0xcd, 0xcd, any, element},
    {3, 0x0a, 0x0a, any, 4},
    {3, 0x0b, 0x0b, any, 8},
    {3, 0x14, 0x14, any, 1},
    {3, 0x15, 0x15, any, 2},
    {3, 0x16, 0x16, any, element},
    {3, 0x17, 0x17, any, 4},
    {3, 0x18, 0x19, any, 16},
    {3, 0x1a, 0x1b, any, 32},
    {3, 0x1d, 0x1d, any, half},
    {3, 0x20, 0x20, any, 1},
    {3, 0x21, 0x21, any, 4},
    {3, 0x22, 0x22, any, element},
    {3, 0x27, 0x27, any, element},
    {3, 0x38, 0x39, any, 16},
    {3, 0x3a, 0x3b, any, 32},
    {3, 0x51, 0x51, any, element},
    {3, 0x55, 0x55, any, element},
    {3, 0x57, 0x57, any, element},
    {3, 0x67, 0x67, any, element},
};

/// Bytes of elements, one per lane, for those that pack or unpack single bytes and words.
bool is_of_words(const VectorOpcode& instruction) {
  return instruction.map == 2 && (instruction.opcode == 0x62 || instruction.opcode == 0x63);
}

unsigned bytes_of(std::uint8_t unit, const VectorOpcode& instruction) {
  const unsigned vector = 16U << instruction.length;
  const unsigned own_element = instruction.is_wide ? 8 : 4;
  switch (unit) {
    case half:
      return vector / 2;
    case quarter:
      return vector / 4;
    case eighth:
      return vector / 8;
    case element:
      return own_element;
    case half_or_vector:
      return instruction.is_wide ? vector : vector / 2;
    case low_or_vector:
      return instruction.length == 0 ? 8 : vector;
    default:
      return unit;
  }
}

}  // namespace

unsigned displacement_unit(const VectorOpcode& instruction) noexcept {
  const bool is_half_precision = instruction.map == 5 || instruction.map == 6;
  if (instruction.is_broadcast) return is_half_precision ? 2 : instruction.is_wide ? 8 : 4;
  if (is_half_precision && instruction.prefix >= 2) return 2;
  if (is_of_words(instruction)) return instruction.is_wide ? 2 : 1;
  const auto* const found =
      std::find_if(std::begin(exceptions), std::end(exceptions), [&](const Exception& one) {
        return one.map == instruction.map && one.first <= instruction.opcode &&
               instruction.opcode <= one.last &&
               (one.prefix == any || one.prefix == instruction.prefix);
      });
  if (found == std::end(exceptions)) return 16U << instruction.length;
  return bytes_of(found->unit, instruction);
}

}  // namespace kith::sharing
