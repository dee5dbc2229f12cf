// The memory operands of instructions, as the decoder sees them. Reads a line of hexadecimal bytes
// for each instruction, and writes a line: its length, the registers that may change as a number,
// how it goes on (a letter), and the operands as displacement(base,index,scale).
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "sharing/memory_operand.hpp"

namespace {

const char* name_of(int number) {
  static const char* const names[] = {"%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp",
                                      "%rsi", "%rdi", "%r8",  "%r9",  "%r10", "%r11",
                                      "%r12", "%r13", "%r14", "%r15", "%rip"};
  return number < 0 ? "" : names[number];
}

void show(const kith::sharing::MemoryOperand& operand) {
  std::printf(" %" PRId64 "(%s,%s,%u)", operand.displacement, name_of(operand.base),
              name_of(operand.index), operand.scale);
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(i, 2), nullptr, 16)));
    }
    bytes.resize(15);
    const auto instruction = kith::sharing::decode(bytes.data());
    std::printf("%u %u %c", instruction.length, instruction.written,
                "ftex"[static_cast<int>(instruction.next)]);
    if (instruction.memory) std::printf(" %s", instruction.writes ? "writes" : "reads");
    if (instruction.memory) show(*instruction.memory);
    if (instruction.also) show(*instruction.also);
    std::printf("\n");
  }
}
