#include "sharing/instruction_forms.hpp"

namespace kith::sharing {
namespace {

constexpr Form unknown{false, false, 0, false, Next::elsewhere};
constexpr Form plain{true, false, 0, false, Next::following};
constexpr Form leaves{true, false, 0, false, Next::elsewhere};

Form operand(unsigned immediate = 0) {
  return {true, true, immediate, true, Next::following};
}
Form only_named(unsigned immediate = 0) {
  return {true, true, immediate, false, Next::following};
}
Form no_operand(unsigned immediate, Next next = Next::following) {
  return {true, false, immediate, false, next};
}

/// An immediate of four bytes, or of two.
unsigned immediate_of(const Opcode& opcode) {
  return opcode.has_short_operands && !opcode.is_wide ? 2 : 4;
}

/// Calls and jumps to what a register or memory says.
Form form_of_group_5(const Opcode& opcode) {
  Form form = operand();
  if (opcode.opcode == 0xff && opcode.extension >= 2 && opcode.extension <= 5) {
    form.next = Next::elsewhere;
  }
  return form;
}

/// Opcodes of one byte, from 80 on.
Form form_of_high(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  const unsigned whole = immediate_of(is);
  if (opcode == 0x80 || opcode == 0x83) return operand(1);
  if (opcode == 0x81) return operand(whole);
  if (opcode == 0x82) return unknown;
  if (opcode == 0x8d) return only_named();  // lea
  if (opcode == 0x8f) return is.extension == 0 ? operand() : unknown;
  if (is_in(opcode, 0x84, 0x8e)) return operand();
  if (opcode == 0x9a) return unknown;
  if (is_in(opcode, 0x90, 0x9f)) return plain;
  if (is_in(opcode, 0xa0, 0xa3)) return no_operand(is.has_short_addresses ? 4 : 8);
  if (opcode == 0xa8) return no_operand(1);
  if (opcode == 0xa9) return no_operand(whole);
  if (is_in(opcode, 0xa4, 0xaf)) return leaves;  // again and again
  if (is_in(opcode, 0xb0, 0xb7)) return no_operand(1);
  if (is_in(opcode, 0xb8, 0xbf)) return no_operand(is.is_wide ? 8 : whole);
  if (opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6) return operand(1);
  if (opcode == 0xc7) {
    return is.extension == 0 ? operand(whole) : no_operand(whole + 1, Next::elsewhere);  // xbegin
  }
  if (is_in(opcode, 0xd0, 0xd3) || is_in(opcode, 0xd8, 0xdf)) return operand();
  if (opcode == 0xd7) return plain;
  if (opcode == 0xf6) return operand(is.extension < 2 ? 1 : 0);
  if (opcode == 0xf7) return operand(is.extension < 2 ? whole : 0);
  if (opcode == 0xfe || opcode == 0xff) return form_of_group_5(is);
  if (opcode == 0xf5 || is_in(opcode, 0xf8, 0xfd)) return plain;
  if (opcode == 0xeb) return no_operand(1, Next::target);
  if (opcode == 0xe9) return no_operand(4, Next::target);
  if (opcode == 0xe8) return no_operand(4, Next::elsewhere);
  if (opcode == 0xc2 || opcode == 0xca) return no_operand(2, Next::elsewhere);
  if (opcode == 0xc8) return no_operand(3);
  if (opcode == 0xcd || is_in(opcode, 0xe0, 0xe7)) return no_operand(1, Next::elsewhere);
  if (opcode == 0xc3 || opcode == 0xc9 || opcode == 0xcb || opcode == 0xcc || opcode == 0xcf ||
      is_in(opcode, 0xec, 0xef) || opcode == 0xf1 || opcode == 0xf4)
    return leaves;
  return unknown;
}

Form form_of_one(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  const unsigned whole = immediate_of(is);
  if (opcode >= 0x80) return form_of_high(is);
  if (opcode < 0x40) {
    const unsigned low = opcode & 7U;
    if (low < 4) return operand();
    if (low == 4) return no_operand(1);
    return low == 5 ? no_operand(whole) : unknown;
  }
  if (is_in(opcode, 0x50, 0x5f)) return plain;
  if (opcode == 0x63) return operand();
  if (opcode == 0x68) return no_operand(whole);
  if (opcode == 0x69) return operand(whole);
  if (opcode == 0x6a) return no_operand(1);
  if (opcode == 0x6b) return operand(1);
  if (is_in(opcode, 0x6c, 0x6f)) return leaves;
  if (is_in(opcode, 0x70, 0x7f)) return no_operand(1, Next::either);
  return unknown;
}

/// Behind 0F.
Form form_of_two(std::uint8_t opcode, bool is_vector) {
  if (opcode == 0x0d || is_in(opcode, 0x18, 0x1f)) return only_named();  // prefetches and nops
  if (is_in(opcode, 0x20, 0x23)) return only_named();
  if (opcode < 0x04 || is_in(opcode, 0x10, 0x17) || is_in(opcode, 0x28, 0x2f)) return operand();
  if (is_in(opcode, 0x05, 0x09) || opcode == 0x0b || opcode == 0x0e) return leaves;
  if (opcode == 0x0f) return operand(1);
  if (is_in(opcode, 0x30, 0x37)) return leaves;
  if (is_in(opcode, 0x70, 0x73)) return operand(1);
  if (opcode == 0x77) return plain;
  if (!is_vector && is_in(opcode, 0x80, 0x8f)) return no_operand(4, Next::either);
  if (!is_vector && is_in(opcode, 0xc8, 0xcf)) return plain;
  if (is_in(opcode, 0xa0, 0xa2) || is_in(opcode, 0xa8, 0xaa)) return leaves;
  if (opcode == 0xa4 || opcode == 0xac || opcode == 0xba || opcode == 0xc2 ||
      is_in(opcode, 0xc4, 0xc6))
    return operand(1);
  if (is_in(opcode, 0x40, 0xff)) return operand();
  return unknown;
}

constexpr std::uint16_t all = 0xffff;
constexpr int rax = 0;
constexpr int rcx = 1;
constexpr int rdx = 2;
constexpr int rsp = 4;

std::uint16_t bit(int number) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(number));
}

std::uint16_t both(std::uint16_t one, std::uint16_t other) {
  return static_cast<std::uint16_t>(one | other);
}

/// The operand that is a register or memory.
std::uint16_t low_of(const Opcode& opcode) {
  return opcode.low_register_is_operand ? bit(opcode.low_register) : std::uint16_t{0};
}

std::uint16_t written_by_arithmetic(const Opcode& opcode) {
  if (opcode.opcode >= 0x38) return 0;  // cmp
  const unsigned low = opcode.opcode & 7U;
  if (low < 2) return low_of(opcode);
  return low < 4 ? bit(opcode.register_operand) : bit(rax);
}

std::uint16_t written_by_one(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  if (opcode < 0x40) return written_by_arithmetic(is);
  if (is_in(opcode, 0x50, 0x57) || opcode == 0x68 || opcode == 0x6a) return bit(rsp);
  if (is_in(opcode, 0x58, 0x5f)) return both(bit(rsp), bit(is.low_register));
  if (opcode == 0x63 || opcode == 0x69 || opcode == 0x6b) return bit(is.register_operand);
  if (is_in(opcode, 0x70, 0x7f)) return 0;
  if (is_in(opcode, 0x80, 0x83)) return is.extension == 7 ? std::uint16_t{0} : low_of(is);
  if (opcode == 0x84 || opcode == 0x85 || opcode == 0xa8 || opcode == 0xa9) return 0;
  if (opcode == 0x86 || opcode == 0x87) return both(low_of(is), bit(is.register_operand));
  if (opcode == 0x88 || opcode == 0x89 || opcode == 0x8c) return low_of(is);
  if (opcode == 0x8a || opcode == 0x8b || opcode == 0x8d) return bit(is.register_operand);
  if (is_in(opcode, 0x90, 0x97)) {
    return both(bit(rax), bit(is.low_register));
  }
  if (opcode == 0x98 || is_in(opcode, 0xa0, 0xa1)) return bit(rax);
  if (opcode == 0x99) return bit(rdx);
  if (opcode == 0x9b || is_in(opcode, 0xa2, 0xa3)) return 0;
  if (is_in(opcode, 0xb0, 0xbf)) return bit(is.low_register);
  if (opcode == 0xc0 || opcode == 0xc1 || is_in(opcode, 0xd0, 0xd3) || opcode == 0xc6 ||
      opcode == 0xc7)
    return low_of(is);
  if (is_in(opcode, 0xd8, 0xdf)) return bit(rax);  // fnstsw
  if (opcode == 0xe9 || opcode == 0xeb || opcode == 0xf5 || is_in(opcode, 0xf8, 0xfd)) return 0;
  if (opcode == 0xf6 || opcode == 0xf7) {
    if (is.extension < 2) return 0;
    return is.extension < 4 ? low_of(is) : both(bit(rax), bit(rdx));
  }
  if (opcode == 0xfe || opcode == 0xff) return is.extension < 2 ? low_of(is) : all;
  return all;
}

/// Behind 0F. What works on vectors changes no general register but where it moves into one.
std::uint16_t written_by_two(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  if (opcode == 0x2c || opcode == 0x2d || opcode == 0x50 || opcode == 0xc5 || opcode == 0xd7)
    return bit(is.register_operand);
  if (opcode == 0x78 || opcode == 0x79) return bit(is.register_operand);
  if (opcode == 0x7e) return low_of(is);
  if (is_in(opcode, 0x10, 0x1f) || is_in(opcode, 0x28, 0x2f) || is_in(opcode, 0x51, 0x7f) ||
      opcode == 0x0d || opcode == 0xc2 || opcode == 0xc3 || opcode == 0xc4 || opcode == 0xc6 ||
      opcode >= 0xd0)
    return 0;
  if (is.is_vector) {  // masks
    if (opcode == 0x93) return bit(is.register_operand);
    return is_in(opcode, 0x41, 0x4b) || is_in(opcode, 0x90, 0x99) ? std::uint16_t{0} : all;
  }
  if (is_in(opcode, 0x40, 0x4f) || opcode == 0xaf || opcode == 0xb6 || opcode == 0xb7 ||
      is_in(opcode, 0xbc, 0xbf) || opcode == 0xb8)
    return bit(is.register_operand);
  if (is_in(opcode, 0x80, 0x8f) || opcode == 0xa3) return 0;
  if (is_in(opcode, 0x90, 0x9f) || opcode == 0xa4 || opcode == 0xa5 || opcode == 0xac ||
      opcode == 0xad || opcode == 0xab || opcode == 0xb3 || opcode == 0xbb || opcode == 0xba)
    return low_of(is);
  if (opcode == 0xb0 || opcode == 0xb1) return both(low_of(is), bit(rax));
  if (opcode == 0xc0 || opcode == 0xc1) return both(low_of(is), bit(is.register_operand));
  if (is_in(opcode, 0xc8, 0xcf)) return bit(is.low_register);
  return all;
}

bool is_in_group(unsigned extension, unsigned first, unsigned last) {
  return first <= extension && extension <= last;
}

bool writes_by_one(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  if (opcode < 0x40) return opcode < 0x38 && (opcode & 7U) < 2;
  if (is_in(opcode, 0x80, 0x83)) return is.extension != 7;
  if (opcode == 0xf6 || opcode == 0xf7) return is.extension == 2 || is.extension == 3;
  if (opcode == 0xfe || opcode == 0xff) return is.extension < 2;
  if (opcode == 0xd9) return is.extension == 2 || is.extension == 3 || is.extension >= 6;
  if (opcode == 0xdb) return is_in_group(is.extension, 1, 3) || is.extension == 7;
  if (opcode == 0xdd) return is.extension != 0 && is.extension != 4;
  if (opcode == 0xdf) return is_in_group(is.extension, 1, 3) || is.extension >= 6;
  return is_in(opcode, 0x86, 0x89) || opcode == 0x8c || opcode == 0x8f ||
         is_in(opcode, 0xa2, 0xa5) || opcode == 0xaa || opcode == 0xab || opcode == 0xc0 ||
         opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 || is_in(opcode, 0xd0, 0xd3);
}

/// Behind 0F.
bool writes_by_two(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  switch (opcode) {
    case 0x11:
    case 0x13:
    case 0x17:
    case 0x29:
    case 0x2b:
    case 0x7f:
    case 0xa4:
    case 0xa5:
    case 0xab:
    case 0xac:
    case 0xad:
    case 0xb0:
    case 0xb1:
    case 0xb3:
    case 0xbb:
    case 0xc0:
    case 0xc1:
    case 0xc3:
    case 0xd6:
    case 0xe7:
      return true;
    case 0x7e:
      return is.prefix != 2;
    case 0x91:
      return true;  // of a mask, or setno
    case 0xae:
      return is.extension == 0 || is.extension == 3 || is.extension == 4;
    case 0xba:
      return is.extension >= 5;
    case 0xc7:
      return is.extension == 1 || is.extension == 4 || is.extension == 5;
    default:
      return !is.is_vector && is_in(opcode, 0x90, 0x9f);
  }
}

/// Behind 0F 38.
bool writes_by_three(const Opcode& is) {
  const std::uint8_t opcode = is.opcode;
  const bool narrows = is.prefix == 2 && (is_in(opcode, 0x10, 0x15) || is_in(opcode, 0x20, 0x25) ||
                                          is_in(opcode, 0x30, 0x35));
  if (is.is_vector && is.is_extended)
    return narrows || opcode == 0x63 || opcode == 0x8a || opcode == 0x8b;
  if (is.is_vector) return opcode == 0x2e || opcode == 0x2f || opcode == 0x8e;
  return opcode == 0xf1 && is.prefix != 3;
}

}  // namespace

bool writes_memory(const Opcode& opcode) noexcept {
  switch (opcode.map) {
    case 0:
      return writes_by_one(opcode);
    case 1:
      return writes_by_two(opcode);
    case 2:
      return writes_by_three(opcode);
    case 3:
      return is_in(opcode.opcode, 0x14, 0x17) || opcode.opcode == 0x19 || opcode.opcode == 0x1b ||
             opcode.opcode == 0x1d || opcode.opcode == 0x39 || opcode.opcode == 0x3b;
    default:
      return opcode.map == 5 && (opcode.opcode == 0x11 || opcode.opcode == 0x7e);
  }
}

Form form_of(const Opcode& opcode) noexcept {
  switch (opcode.map) {
    case 0:
      return opcode.is_vector ? unknown : form_of_one(opcode);
    case 1:
      return form_of_two(opcode.opcode, opcode.is_vector);
    case 2:
    case 5:
    case 6:
      return operand();
    case 3:
      return operand(1);
    default:
      return unknown;
  }
}

std::uint16_t written_by(const Opcode& opcode) noexcept {
  switch (opcode.map) {
    case 0:
      return written_by_one(opcode);
    case 1:
      return written_by_two(opcode);
    case 2:
      if (opcode.opcode < 0xf0) return 0;
      return opcode.is_vector ? all : bit(opcode.register_operand);
    case 3:
      if (is_in(opcode.opcode, 0x14, 0x17)) return low_of(opcode);
      if (is_in(opcode.opcode, 0x60, 0x63)) return bit(rcx);
      return opcode.opcode == 0xf0 ? bit(opcode.register_operand) : std::uint16_t{0};
    default:
      return opcode.map == 5 || opcode.map == 6 ? bit(opcode.register_operand) : all;
  }
}

bool keeps_flags(const Opcode& is) noexcept {
  const std::uint8_t opcode = is.opcode;
  switch (is.map) {
    case 0:
      return is_in(opcode, 0x70, 0x7f) || is_in(opcode, 0x88, 0x8b) || opcode == 0x8d ||
             opcode == 0x90 || is_in(opcode, 0xb0, 0xbf) || opcode == 0xc6 || opcode == 0xc7;
    case 1:
      return is_in(opcode, 0x10, 0x1f) || is_in(opcode, 0x28, 0x2d) || is_in(opcode, 0x51, 0x7f) ||
             is_in(opcode, 0xd0, 0xfe) || (!is.is_vector && is_in(opcode, 0x80, 0x8f));
    case 2:
      return is.is_vector && opcode < 0xf0 && opcode != 0x0e && opcode != 0x0f && opcode != 0x17;
    case 3:
      return is.is_vector && !is_in(opcode, 0x60, 0x63);
    default:
      return false;
  }
}

bool is_gather(const Opcode& opcode) noexcept {
  return opcode.is_vector && opcode.map == 2 &&
         (is_in(opcode.opcode, 0x90, 0x93) || is_in(opcode.opcode, 0xa0, 0xa3) ||
          is_in(opcode.opcode, 0xc6, 0xc7));
}

}  // namespace kith::sharing
