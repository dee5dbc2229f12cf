// The memory that a thread touches next, told from its registers and its code.
#pragma once

#include <array>
#include <cstdint>

#include "sharing/memory_operand.hpp"

namespace kith::sharing {

/// Follows the code from an instruction that a thread is about to execute, as long as it is clear
/// where it goes: to the next call or return, around loops whose end is known, once around others,
/// and never beyond the page of 4096 bytes that the instruction lies on, as others need not be
/// there. Registers that change in a way that is not followed are no longer known, nor what they
/// address.
class ComingAccesses {
 public:
  ComingAccesses(std::uintptr_t code, const std::array<std::uint64_t, 16>& registers) noexcept
      : code_(code), start_(code), registers_(registers) {}

  /// Calls visit(address, is_write) for each access that is known, and has_time() every some
  /// instructions: false ends it.
  template <class Visit, class HasTime>
  void for_each(Visit&& visit, HasTime&& has_time) noexcept {
    constexpr int most_instructions = 4096;
    constexpr int stretch = 32;
    for (int i = 0; i < most_instructions; ++i) {
      if (i % stretch == stretch - 1 && !has_time()) return;
      const Instruction instruction = decode(reinterpret_cast<const std::uint8_t*>(code_));
      if (instruction.length == 0) return;
      if (instruction.memory && is_known(*instruction.memory))
        visit(value_of(*instruction.memory, instruction), instruction.writes);
      if (instruction.also && is_known(*instruction.also))
        visit(value_of(*instruction.also, instruction), false);
      execute(instruction);
      if (!go_on(instruction)) return;
    }
  }

 private:
  /// What the flags say, if the next instruction asks.
  struct Compared {
    bool is_known = false;
    bool is_result = false;  ///< of an addition: only whether it is zero
    bool is_short = false;
    std::uint64_t left = 0;
    std::uint64_t right = 0;
  };

  static std::uint16_t bit(int number) noexcept {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(number));
  }

  bool is_known(const MemoryOperand& operand) const noexcept {
    const bool has_base = operand.base >= 0 && operand.base != MemoryOperand::next_instruction;
    return (!has_base || (known_ & bit(operand.base)) != 0) &&
           (operand.index == MemoryOperand::none || (known_ & bit(operand.index)) != 0);
  }

  std::uint64_t value_of(const MemoryOperand& operand,
                         const Instruction& instruction) const noexcept {
    return address_of(operand, instruction, registers_, code_);
  }

  void execute(const Instruction& instruction) noexcept {
    if (!instruction.keeps_flags) compared_.is_known = false;
    if (instruction.compares && is_known(instruction.left) && is_known(instruction.right)) {
      compared_ = {true, false, instruction.is_short, value_of(instruction.left, instruction),
                   value_of(instruction.right, instruction)};
    }
    const bool follows = instruction.changed != MemoryOperand::none && is_known(instruction.sum);
    std::uint64_t value = follows ? value_of(instruction.sum, instruction) : 0;
    if (instruction.is_short) value = static_cast<std::uint32_t>(value);
    known_ = static_cast<std::uint16_t>(known_ & ~instruction.written);
    if (!follows) return;
    registers_[static_cast<std::size_t>(instruction.changed)] = value;
    known_ = static_cast<std::uint16_t>(known_ | bit(instruction.changed));
    if (instruction.sets_flags) compared_ = {true, true, instruction.is_short, value, 0};
  }

  /// Whether the jump is taken; `is_sure`: it is known.
  bool jumps(const Instruction& instruction, bool& is_sure) const noexcept {
    constexpr unsigned equal = 4;
    constexpr unsigned negation = 1;
    is_sure = compared_.is_known;
    if (compared_.is_result && (instruction.condition & ~negation) != equal) is_sure = false;
    const bool is_negated = (instruction.condition & negation) != 0;
    bool holds = false;
    switch (instruction.condition & ~negation) {
      case 2:
        holds = is_below();
        break;
      case equal:
        holds = is_equal();
        break;
      case 6:
        holds = is_below() || is_equal();
        break;
      case 12:
        holds = is_less();
        break;
      case 14:
        holds = is_less() || is_equal();
        break;
      default:
        is_sure = false;
    }
    return is_sure ? holds != is_negated : instruction.jump < 0;
  }

  bool is_below() const noexcept {
    return compared_.is_short ? static_cast<std::uint32_t>(compared_.left) <
                                    static_cast<std::uint32_t>(compared_.right)
                              : compared_.left < compared_.right;
  }
  bool is_equal() const noexcept {
    return compared_.is_short ? static_cast<std::uint32_t>(compared_.left) ==
                                    static_cast<std::uint32_t>(compared_.right)
                              : compared_.left == compared_.right;
  }
  bool is_less() const noexcept {
    return compared_.is_short ? static_cast<std::int32_t>(compared_.left) <
                                    static_cast<std::int32_t>(compared_.right)
                              : static_cast<std::int64_t>(compared_.left) <
                                    static_cast<std::int64_t>(compared_.right);
  }

  /// False: it is not clear where to, or all has been seen.
  bool go_on(const Instruction& instruction) noexcept {
    constexpr std::uintptr_t page = 4096;
    constexpr std::uintptr_t longest = 15;
    if (instruction.next == Next::elsewhere) return false;
    code_ += instruction.length;
    bool is_sure = true;
    const bool is_taken = instruction.next == Next::target ||
                          (instruction.next == Next::either && jumps(instruction, is_sure));
    if (is_taken) code_ += static_cast<std::uintptr_t>(instruction.jump);
    // A jump back that depends is the end of a loop, which goes on more often than not.
    if (!is_sure && (!is_taken || ++guesses_ > 1)) return false;
    return (code_ != start_ || guesses_ == 0) && code_ / page == start_ / page &&
           code_ % page <= page - longest;
  }

  std::uintptr_t code_;
  std::uintptr_t start_;
  std::array<std::uint64_t, 16> registers_;
  std::uint16_t known_ = 0xffff;
  Compared compared_;
  int guesses_ = 0;
};

}  // namespace kith::sharing
