// What follows the opcode of an x86-64 instruction, and which registers it may change (Intel,
// Software Developer's Manual, volume 2, appendix A).
#pragma once

#include <cstdint>

#include "sharing/memory_operand.hpp"

namespace kith::sharing {

struct Opcode {
  unsigned map = 0;  ///< 0: one byte; 1: behind 0F; 2: behind 0F 38; 3: behind 0F 3A; 5, 6
  std::uint8_t opcode = 0;
  unsigned prefix = 0;                   ///< the last of 66, F3, F2 as 1, 2, 3; 0: none
  bool is_vector = false;                ///< with a prefix of AVX or AVX-512
  bool is_extended = false;              ///< that of AVX-512
  bool is_wide = false;                  ///< W of REX, VEX and EVEX
  bool has_short_operands = false;       ///< 66
  bool has_short_addresses = false;      ///< 67
  unsigned extension = 0;                ///< the middle bits of the byte behind, where it has any
  int register_operand = 0;              ///< they as a register
  int low_register = 0;                  ///< the lowest bits of that byte, or of the opcode
  bool low_register_is_operand = false;  ///< that byte names a register, no memory
};

/// Whether an opcode's byte is one of a range, both ends included.
constexpr bool is_in(std::uint8_t opcode, unsigned first, unsigned last) noexcept {
  return first <= opcode && opcode <= last;
}

/// What follows the opcode.
struct Form {
  bool is_known = true;
  bool has_operand = false;  ///< a byte that names registers or memory
  unsigned immediate = 0;    ///< bytes behind
  bool touches = true;       ///< false: the memory is only named
  Next next = Next::following;
};

Form form_of(const Opcode& opcode) noexcept;

/// A bit for each general register that may change: none is left out.
std::uint16_t written_by(const Opcode& opcode) noexcept;

/// Whether what was compared before still holds behind it: surely, where this is true.
bool keeps_flags(const Opcode& opcode) noexcept;

/// Whether it writes its memory operand, if it has one.
bool writes_memory(const Opcode& opcode) noexcept;

/// Whether the addresses lie in a vector register.
bool is_gather(const Opcode& opcode) noexcept;

}  // namespace kith::sharing
