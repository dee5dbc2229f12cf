// The unit of a short displacement in an instruction of AVX-512.
#pragma once

#include <cstdint>

namespace kith::sharing {

/// What the prefix of four bytes and the opcode say.
struct VectorOpcode {
  unsigned map = 1;  ///< of opcodes: 1 (0F), 2 (0F 38), 3 (0F 3A), 5 and 6
  std::uint8_t opcode = 0;
  unsigned prefix = 0;  ///< 0: none, 1: 66, 2: F3, 3: F2
  bool is_wide = false;
  bool is_broadcast = false;
  unsigned length = 0;  ///< of the vector: 0: 16 bytes, 1: 32, 2: 64
};

/// Bytes by which a displacement of one byte is multiplied: what the instruction reads or writes in
/// memory (Intel, Software Developer's Manual, volume 2, section 2.7.5).
unsigned displacement_unit(const VectorOpcode& instruction) noexcept;

}  // namespace kith::sharing
