#include "sharing/memory_operand.hpp"

#include <cstring>

#include "sharing/instruction_forms.hpp"
#include "sharing/vector_displacement.hpp"

namespace kith::sharing {
namespace {

constexpr unsigned longest = 15;

/// Goes through the bytes.
class Decoder {
 public:
  explicit Decoder(const std::uint8_t* code) noexcept : code_(code) {}

  Instruction run() noexcept {
    read_opcode();
    const Form form = form_of(opcode_);
    if (!form.is_known) return {};
    found_.next = form.next;
    note_implied();
    if (form.has_operand) read_operand(form.touches);
    found_.written = written_by(opcode_);
    found_.writes = writes_memory(opcode_);
    found_.keeps_flags = keeps_flags(opcode_);
    read_immediate(form);
    if (at_ > longest) return {};
    found_.length = at_;
    if (has_own_segment_ || opcode_.has_short_addresses) {
      found_.memory.reset();
      found_.also.reset();
      found_.changed = MemoryOperand::none;
    }
    return found_;
  }

 private:
  std::uint8_t next() noexcept { return at_ < longest ? code_[at_++] : std::uint8_t{0}; }

  /// The legacy prefixes, a REX, and the opcode.
  void read_opcode() noexcept {
    std::uint8_t byte = next();
    for (; at_ < longest; byte = next()) {
      if (byte == 0x66) {
        opcode_.has_short_operands = true;
        if (opcode_.prefix == 0) opcode_.prefix = 1;
      } else if (byte == 0x67) {
        opcode_.has_short_addresses = true;
      } else if (byte == 0x64 || byte == 0x65) {
        has_own_segment_ = true;
      } else if (byte == 0xf2 || byte == 0xf3) {
        opcode_.prefix = byte == 0xf3 ? 2 : 3;
      } else if (byte != 0xf0 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26) {
        break;
      }
    }
    if (is_in(byte, 0x40, 0x4f)) {
      opcode_.is_wide = (byte & 8U) != 0;
      register_high_ = (byte & 4U) != 0 ? 8 : 0;
      index_high_ = (byte & 2U) != 0 ? 8 : 0;
      base_high_ = (byte & 1U) != 0 ? 8 : 0;
      byte = next();
    }
    if (byte == 0x0f) return read_long_opcode();
    if (byte == 0xc5) return read_vex_of_two();
    if (byte == 0xc4) return read_vex_of_three();
    if (byte == 0x62) return read_evex();
    opcode_.opcode = byte;
    opcode_.low_register = (byte & 7) + base_high_;
    // The byte behind is only surely there for those that need it.
    const bool asks_next = byte == 0x8f || is_in(byte, 0xc6, 0xc7) || is_in(byte, 0x80, 0x83) ||
                           byte == 0xf6 || byte == 0xf7 || byte == 0xfe || byte == 0xff;
    if (asks_next && at_ < longest) read_extension();
  }

  void read_extension() noexcept { opcode_.extension = (code_[at_] >> 3U) & 7U; }

  void read_long_opcode() noexcept {
    opcode_.map = 1;
    opcode_.opcode = next();
    opcode_.low_register = (opcode_.opcode & 7) + base_high_;
    if (opcode_.opcode == 0x38 || opcode_.opcode == 0x3a) {
      opcode_.map = opcode_.opcode == 0x38 ? 2 : 3;
      opcode_.opcode = next();
    }
    if (opcode_.opcode == 0xba && at_ < longest) read_extension();
  }

  void read_vex_of_two() noexcept {
    opcode_.is_vector = true;
    opcode_.map = 1;
    const std::uint8_t only = next();
    register_high_ = (only & 0x80U) == 0 ? 8 : 0;
    opcode_.prefix = only & 3U;
    opcode_.opcode = next();
  }

  void read_vex_of_three() noexcept {
    const std::uint8_t first = next();
    const std::uint8_t second = next();
    opcode_.is_wide = (second & 0x80U) != 0;
    opcode_.prefix = second & 3U;
    opcode_.is_vector = true;
    opcode_.map = first & 0x1fU;
    read_inverted(first);
    opcode_.opcode = next();
  }

  void read_evex() noexcept {
    const std::uint8_t first = next();
    const std::uint8_t second = next();
    const std::uint8_t third = next();
    opcode_.is_wide = (second & 0x80U) != 0;
    opcode_.prefix = second & 3U;
    opcode_.is_vector = true;
    opcode_.is_extended = true;
    constexpr unsigned none = 31;  // newer forms, which mean other things
    opcode_.map = (first & 0x08U) != 0 || (second & 0x04U) == 0 ? none : first & 7U;
    read_inverted(first);
    opcode_.opcode = next();
    VectorOpcode vector;
    vector.map = opcode_.map;
    vector.opcode = opcode_.opcode;
    vector.prefix = opcode_.prefix;
    vector.is_wide = opcode_.is_wide;
    vector.is_broadcast = (third & 0x10U) != 0;
    vector.length = (third >> 5U) & 3U;
    unit_ = displacement_unit(vector);
  }

  void read_inverted(std::uint8_t bits) noexcept {
    register_high_ = (bits & 0x80U) == 0 ? 8 : 0;
    index_high_ = (bits & 0x40U) == 0 ? 8 : 0;
    base_high_ = (bits & 0x20U) == 0 ? 8 : 0;
  }

  /// What string instructions touch.
  void note_implied() noexcept {
    constexpr int source = 6;
    constexpr int destination = 7;
    const std::uint8_t opcode = opcode_.opcode;
    if (opcode_.map != 0) return;
    if (opcode == 0xac || opcode == 0xad) {
      found_.memory = MemoryOperand{source};
    } else if (is_in(opcode, 0xa4, 0xa7) || opcode == 0xaa || opcode == 0xab || opcode == 0xae ||
               opcode == 0xaf) {
      found_.memory = MemoryOperand{destination};
      if (is_in(opcode, 0xa4, 0xa7)) found_.also = MemoryOperand{source};
    }
  }

  /// A whole address, the way of a jump, or a number that is added.
  void read_immediate(const Form& form) noexcept {
    if (at_ + form.immediate > longest) {
      at_ = longest + 1;
      return;
    }
    const std::uint8_t* const from = code_ + at_;
    at_ += form.immediate;
    if (opcode_.map == 0 && is_in(opcode_.opcode, 0xa0, 0xa3)) {
      MemoryOperand operand;
      std::memcpy(&operand.displacement, from, form.immediate);
      found_.memory = operand;
      return;
    }
    std::int64_t value = 0;
    if (form.immediate == 1) {
      value = static_cast<std::int8_t>(*from);
    } else if (form.immediate == 4) {
      std::int32_t read = 0;
      std::memcpy(&read, from, sizeof read);
      value = read;
    }
    found_.jump = value;
    found_.condition = opcode_.opcode & 0xfU;
    found_.is_short = !opcode_.is_wide;
    if (opcode_.map == 0 && !opcode_.has_short_operands) note_values(value);
  }

  /// add, sub, inc, dec, lea, mov and cmp of registers. `value`: the immediate one.
  void note_values(std::int64_t value) noexcept {
    const std::uint8_t opcode = opcode_.opcode;
    if (opcode == 0x8d) {
      found_.changed = opcode_.register_operand;  // the operand is what it becomes
    } else if (is_in(opcode, 0xb8, 0xbf) && !opcode_.is_wide) {
      become(opcode_.low_register, MemoryOperand::none, value);
    } else if (opcode == 0x3d) {
      compare(MemoryOperand{0}, constant(value));
    } else if (opcode_.low_register_is_operand) {
      note_register_values(opcode, value);
    }
  }

  void note_register_values(std::uint8_t opcode, std::int64_t value) noexcept {
    const int low = opcode_.low_register;
    const int other = opcode_.register_operand;
    if (opcode == 0x89) {
      become(low, other, 0);
    } else if (opcode == 0x8b) {
      become(other, low, 0);
    } else if (opcode == 0x39) {
      compare(MemoryOperand{low}, MemoryOperand{other});
    } else if (opcode == 0x3b) {
      compare(MemoryOperand{other}, MemoryOperand{low});
    } else if (opcode == 0x83 || opcode == 0x81) {
      if (opcode_.extension == 7) compare(MemoryOperand{low}, constant(value));
      if (opcode_.extension == 0) become_sum(low, value);
      if (opcode_.extension == 5) become_sum(low, -value);
    } else if (opcode == 0xff && opcode_.extension < 2) {
      become_sum(low, opcode_.extension == 0 ? 1 : -1);
    } else if (opcode == 0x01) {
      become_sum(low, 0);
      found_.sum.index = other;
    } else if (opcode == 0x03) {
      become_sum(other, 0);
      found_.sum.index = low;
    }
  }

  static MemoryOperand constant(std::int64_t value) noexcept {
    MemoryOperand operand;
    operand.displacement = value;
    return operand;
  }

  void become(int changed, int base, std::int64_t added) noexcept {
    found_.changed = changed;
    found_.sum = constant(added);
    found_.sum.base = base;
  }

  void become_sum(int changed, std::int64_t added) noexcept {
    become(changed, changed, added);
    found_.sets_flags = true;
  }

  void compare(const MemoryOperand& left, const MemoryOperand& right) noexcept {
    found_.compares = true;
    found_.left = left;
    found_.right = right;
  }

  std::int64_t read_displacement(unsigned bytes) noexcept {
    if (at_ + bytes > longest) {
      at_ = longest + 1;
      return 0;
    }
    const std::uint8_t* const from = code_ + at_;
    at_ += bytes;
    if (bytes == 1) return static_cast<std::int8_t>(*from) * static_cast<std::int64_t>(unit_);
    std::int32_t value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }

  void read_operand(bool touches) noexcept {
    const std::uint8_t byte = next();
    const unsigned mode = byte >> 6U;
    const int low = byte & 7;
    opcode_.extension = (byte >> 3U) & 7U;
    opcode_.register_operand = static_cast<int>(opcode_.extension) + register_high_;
    if (mode == 3) {
      opcode_.low_register = low + base_high_;
      opcode_.low_register_is_operand = true;
      return;
    }
    MemoryOperand operand;
    unsigned displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    if (low == 4) {
      const std::uint8_t scaled = next();
      operand.scale = 1U << (scaled >> 6U);
      const int index = ((scaled >> 3U) & 7) + index_high_;
      if (index != 4) operand.index = index;
      const int base = scaled & 7;
      if (base == 5 && mode == 0) {
        displacement = 4;
      } else {
        operand.base = base + base_high_;
      }
    } else if (low == 5 && mode == 0) {
      displacement = 4;
      operand.base = MemoryOperand::next_instruction;
    } else {
      operand.base = low + base_high_;
    }
    if (displacement != 0) operand.displacement = read_displacement(displacement);
    if (touches && !is_gather(opcode_)) found_.memory = operand;
    found_.sum = operand;
  }

  const std::uint8_t* code_;
  unsigned at_ = 0;
  Opcode opcode_;
  bool has_own_segment_ = false;  // fs or gs
  int register_high_ = 0;         // added to the numbers of registers
  int index_high_ = 0;
  int base_high_ = 0;
  unsigned unit_ = 1;  // of a displacement of one byte
  Instruction found_;
};

}  // namespace

Instruction decode(const std::uint8_t* code) noexcept {
  return Decoder(code).run();
}

std::uintptr_t address_of(const MemoryOperand& operand, const Instruction& instruction,
                          const std::array<std::uint64_t, 16>& registers,
                          std::uintptr_t code) noexcept {
  auto address = static_cast<std::uint64_t>(operand.displacement);
  if (operand.base == MemoryOperand::next_instruction) {
    address += code + instruction.length;
  } else if (operand.base != MemoryOperand::none) {
    address += registers[static_cast<std::size_t>(operand.base)];
  }
  if (operand.index != MemoryOperand::none) {
    address += registers[static_cast<std::size_t>(operand.index)] * operand.scale;
  }
  return address;
}

}  // namespace kith::sharing
