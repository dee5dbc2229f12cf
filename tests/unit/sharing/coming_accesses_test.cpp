#include "sharing/coming_accesses.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace kith::sharing {
namespace {

/// Code on a page of its own.
class Code {
 public:
  explicit Code(const std::vector<std::uint8_t>& bytes, std::size_t at = 0) {
    std::memcpy(page_.data() + at, bytes.data(), bytes.size());
    start_ = reinterpret_cast<std::uintptr_t>(page_.data() + at);
  }

  /// Addresses, and whether they are written.
  std::vector<std::pair<std::uintptr_t, bool>> told(
      const std::array<std::uint64_t, 16>& registers) const {
    std::vector<std::pair<std::uintptr_t, bool>> all;
    ComingAccesses(start_, registers)
        .for_each(
            [&](std::uintptr_t address, bool is_write) { all.emplace_back(address, is_write); },
            [] { return true; });
    return all;
  }

 private:
  alignas(4096) std::array<std::uint8_t, 4096> page_{};
  std::uintptr_t start_ = 0;
};

// movsd (%rdi,%rax,8),%xmm0; movsd %xmm0,(%rsi,%rax,8); add $1,%rax; cmp %rdx,%rax; jne to the
// begin; ret
const std::vector<std::uint8_t> copy_loop{0xf2, 0x0f, 0x10, 0x04, 0xc7, 0xf2, 0x0f,
                                          0x11, 0x04, 0xc6, 0x48, 0x83, 0xc0, 0x01,
                                          0x48, 0x39, 0xd0, 0x75, 0xed, 0xc3};
constexpr std::size_t rax = 0;
constexpr std::size_t rdx = 2;
constexpr std::size_t rsi = 6;
constexpr std::size_t rdi = 7;

TEST(ComingAccesses, FollowsALoopToItsEnd) {
  const Code code(copy_loop);
  std::array<std::uint64_t, 16> registers{};
  registers[rax] = 3;
  registers[rdx] = 10;
  registers[rdi] = 0x10000;
  registers[rsi] = 0x20000;
  const auto told = code.told(registers);
  ASSERT_EQ(told.size(), 14U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(told[2 * i], std::pair(std::uintptr_t{0x10000 + 8 * (i + 3)}, false));
    EXPECT_EQ(told[2 * i + 1], std::pair(std::uintptr_t{0x20000 + 8 * (i + 3)}, true));
  }
}

TEST(ComingAccesses, GoesOnceAroundWhereTheEndIsNotKnown) {
  auto loop = copy_loop;
  loop[14] = 0x48;  // cmp (%rdx),%rax
  loop[15] = 0x3b;
  loop[16] = 0x02;
  const Code code(loop);
  std::array<std::uint64_t, 16> registers{};
  registers[rdx] = 0x30000;
  registers[rdi] = 0x10000;
  registers[rsi] = 0x20000;
  const auto told = code.told(registers);
  ASSERT_EQ(told.size(), 3U) << "two copies, and what is compared";
  EXPECT_EQ(told[2], std::pair(std::uintptr_t{0x30000}, false));
}

TEST(ComingAccesses, WhatALoadedRegisterAddressesIsNotTold) {
  // mov (%rdi),%rax; mov (%rax),%rdx; mov 8(%rdi),%rdx; ret
  const Code code({0x48, 0x8b, 0x07, 0x48, 0x8b, 0x10, 0x48, 0x8b, 0x57, 0x08, 0xc3});
  std::array<std::uint64_t, 16> registers{};
  registers[rdi] = 0x10000;
  const std::vector<std::pair<std::uintptr_t, bool>> expected{{0x10000, false}, {0x10008, false}};
  EXPECT_EQ(code.told(registers), expected);
}

TEST(ComingAccesses, NeverLeavesThePage) {
  const Code code(copy_loop, 4096 - copy_loop.size());
  std::array<std::uint64_t, 16> registers{};
  registers[rdx] = 100;
  EXPECT_LE(code.told(registers).size(), 200U) << "and reads no byte behind it";
  const Code end({0x48, 0x89, 0x07}, 4093);  // mov %rax,(%rdi)
  EXPECT_EQ(end.told(registers).size(), 1U);
}

TEST(ComingAccesses, EndsAtCallsReturnsAndWhatIsNotKnown) {
  for (const std::vector<std::uint8_t>& stop :
       {std::vector<std::uint8_t>{0xe8, 0, 0, 0, 0}, {0xc3}, {0x0f, 0x05}, {0xff, 0xe0}, {0x06}}) {
    auto bytes = stop;
    bytes.insert(bytes.end(), {0x48, 0x89, 0x07});  // mov %rax,(%rdi)
    EXPECT_TRUE(Code(bytes).told({}).empty());
  }
}

}  // namespace
}  // namespace kith::sharing
