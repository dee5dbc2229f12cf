// What an x86-64 instruction does with memory, with general registers, and where it goes on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace kith::sharing {

/// An address as an instruction writes it: base + index * scale + displacement.
struct MemoryOperand {
  static constexpr int none = -1;
  static constexpr int next_instruction = 16;  ///< as a base: the address behind the instruction

  int base = none;   ///< number of a register, as instructions encode it: 0 is rax, 4 is rsp
  int index = none;  ///< likewise
  unsigned scale = 1;
  std::int64_t displacement = 0;
};

/// Where the program goes on.
enum class Next {
  following,  ///< with the instruction behind
  target,     ///< a jump
  either,     ///< a jump that depends
  elsewhere,  ///< not known from here: a call, a return, a system call
};

struct Instruction {
  unsigned length = 0;  ///< bytes; 0: it is not known to this decoder
  /// Where it reads or writes. Nothing where no memory is touched, or only the stack by push, pop,
  /// call and return, or the thread's own variables (segments fs and gs), or several places that
  /// lie anywhere (gather, scatter).
  std::optional<MemoryOperand> memory;
  std::optional<MemoryOperand> also;  ///< the second place of movs and cmps, which is read
  bool writes = false;                ///< the first place; else it is only read
  Next next = Next::following;
  std::int64_t jump = 0;      ///< for a target: bytes from the instruction behind
  std::uint16_t written = 0;  ///< a bit for each register that it may change
  /// The one register that it changes, where the new value is easily told: the address `sum`.
  int changed = MemoryOperand::none;
  MemoryOperand sum;
  /// Two values that it compares, as addresses; and the result of what `changed` says, with zero.
  bool compares = false;
  MemoryOperand left;
  MemoryOperand right;
  bool keeps_flags = false;  ///< what was compared before still holds
  bool sets_flags = false;   ///< by what `changed` becomes
  bool is_short = false;     ///< the lower 32 bits of values count, and of `sum`
  unsigned condition = 0;    ///< for Next::either: what must hold, as jumps encode it
};

/// Reads at most as many bytes of `code` as the instruction has, and no more than 15.
Instruction decode(const std::uint8_t* code) noexcept;

/// `registers`: by their numbers. `code`: where the instruction lies.
std::uintptr_t address_of(const MemoryOperand& operand, const Instruction& instruction,
                          const std::array<std::uint64_t, 16>& registers,
                          std::uintptr_t code) noexcept;

}  // namespace kith::sharing
