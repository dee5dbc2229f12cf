// The memory that a thread touches next, told from its registers and its code.
#pragma once

#include <array>
#include <cstdint>

#include "sharing/memory_operand.hpp"

namespace kith::sharing {

/// Follows the code from an instruction that a thread is about to execute, as long as it is clear
/// where it goes: to the next call or return, at most once around a loop, and never beyond the page
/// of 4096 bytes that the instruction lies on, as others need not be there. Registers that change
/// in a way that is not followed are no longer known, nor what they address.
class ComingAccesses {
 public:
  ComingAccesses(std::uintptr_t code, const std::array<std::uint64_t, 16>& registers) noexcept
      : code_(code), start_(code), registers_(registers) {}

  /// Calls visit(address, is_write) for each access that is known.
  template <class Visit>
  void for_each(Visit&& visit) noexcept {
    constexpr int most_instructions = 48;
    for (int i = 0; i < most_instructions; ++i) {
      const Instruction instruction = decode(reinterpret_cast<const std::uint8_t*>(code_));
      if (instruction.length == 0) return;
      if (instruction.memory && is_known(*instruction.memory))
        visit(address_of(*instruction.memory, instruction, registers_, code_), instruction.writes);
      if (instruction.also && is_known(*instruction.also))
        visit(address_of(*instruction.also, instruction, registers_, code_), false);
      change_registers(instruction);
      if (!go_on(instruction)) return;
    }
  }

 private:
  static std::uint16_t bit(int number) noexcept {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(number));
  }

  bool is_known(const MemoryOperand& operand) const noexcept {
    const bool has_base = operand.base >= 0 && operand.base != MemoryOperand::next_instruction;
    return (!has_base || (known_ & bit(operand.base)) != 0) &&
           (operand.index == MemoryOperand::none || (known_ & bit(operand.index)) != 0);
  }

  void change_registers(const Instruction& instruction) noexcept {
    const bool follows = instruction.changed != MemoryOperand::none && is_known(instruction.sum);
    const std::uint64_t value =
        follows ? address_of(instruction.sum, instruction, registers_, code_) : 0;
    known_ = static_cast<std::uint16_t>(known_ & ~instruction.written);
    if (!follows) return;
    registers_[static_cast<std::size_t>(instruction.changed)] = value;
    known_ = static_cast<std::uint16_t>(known_ | bit(instruction.changed));
  }

  /// False: it is not clear where to, or all has been seen.
  bool go_on(const Instruction& instruction) noexcept {
    constexpr std::uintptr_t page = 4096;
    constexpr std::uintptr_t longest = 15;
    if (instruction.next == Next::elsewhere) return false;
    code_ += instruction.length;
    // A jump back that depends is the end of a loop, which goes on more often than not.
    const bool jumps = instruction.next == Next::target ||
                       (instruction.next == Next::either && instruction.jump < 0);
    if (jumps) code_ += static_cast<std::uintptr_t>(instruction.jump);
    return code_ != start_ && code_ / page == start_ / page && code_ % page <= page - longest;
  }

  std::uintptr_t code_;
  std::uintptr_t start_;
  std::array<std::uint64_t, 16> registers_;
  std::uint16_t known_ = 0xffff;
};

}  // namespace kith::sharing
