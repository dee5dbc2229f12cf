#include "sharing/sample_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>

#include "sharing/line_table.hpp"

namespace kith::sharing {
namespace {

constexpr std::uintptr_t line = 64;

/// Each access is a sample of its own.
void note(SampleLog& log, std::uintptr_t address, std::uint32_t thread, bool is_write) {
  log.note(log.begin_sample(), address, thread, is_write);
}

std::uint64_t count(const SampledSharing& sharing, std::uint32_t before, std::uint32_t after) {
  const auto found = sharing.counts.find({before, after});
  return found == sharing.counts.end() ? 0 : found->second;
}

TEST(SampleLog, WriterAndItsReadersShareReadersDoNot) {
  const auto log = std::make_unique<SampleLog>();
  for (int round = 0; round < 10; ++round) {
    note(*log, 5 * line, 0, true);
    for (const std::uint32_t reader : {1U, 2U, 3U, 2U}) note(*log, 5 * line + 8, reader, false);
  }
  const SampledSharing found = log->sharing(4);
  EXPECT_EQ(found.line_bytes, 64U);
  for (const std::uint32_t reader : {1U, 2U, 3U}) {
    EXPECT_EQ(count(found, 0, reader), 10U);
    EXPECT_EQ(count(found, reader, 0), 9U);
    EXPECT_EQ(count(found, reader, reader % 3 + 1), 0U);
  }
}

TEST(SampleLog, CountsAsTheTableOfAllAccessesDoes) {
  const auto log = std::make_unique<SampleLog>();
  const auto table = std::make_unique<LineTable>();
  std::mt19937 random(7);
  constexpr std::uint32_t threads = 100;
  for (int i = 0; i < 20'000; ++i) {
    const std::uintptr_t address = 4096 + random() % (50 * line);
    const auto thread = static_cast<std::uint32_t>(random() % threads);
    const bool is_write = random() % 4 == 0;
    note(*log, address, thread, is_write);
    table->touch(address, 1, thread, is_write);
  }
  const SampledSharing found = log->sharing(threads);
  EXPECT_EQ(found.line_bytes, 64U);
  for (std::uint32_t before = 0; before < threads; ++before) {
    for (std::uint32_t after = 0; after < threads; ++after) {
      ASSERT_EQ(count(found, before, after), table->count(before, after)) << before << ' ' << after;
    }
  }
}

TEST(SampleLog, LinesGrowWhereEachIsSeenRarely) {
  const auto log = std::make_unique<SampleLog>();
  // Each line of a page once: pages are seen often enough, lines are not.
  for (std::uint32_t i = 0; i < 64; ++i) note(*log, 8192 + i * line, i % 2, i % 2 == 0);
  const SampledSharing found = log->sharing(2);
  EXPECT_EQ(found.line_bytes, 1024U);
  EXPECT_GT(count(found, 0, 1), 0U);
}

TEST(SampleLog, NoLargerThanPagesWhereThreadsTouchLittle) {
  const auto log = std::make_unique<SampleLog>();
  for (std::uint32_t i = 0; i < 64; ++i) note(*log, i * 4096, i % 2, true);
  const SampledSharing found = log->sharing(2);
  EXPECT_EQ(found.line_bytes, 4096U);
  EXPECT_TRUE(found.counts.empty()) << "what lies side by side is not shared";
}

TEST(SampleLog, KeepsSomeOfEachPartOfALongRun) {
  const auto log = std::make_unique<SampleLog>();
  constexpr int accesses = 5 << 20;  // more than it keeps
  for (int i = 0; i < accesses; ++i) {
    const bool is_early = i < accesses / 2;
    note(*log, line * (is_early ? 1 : 2), static_cast<std::uint32_t>(i % 2) + (is_early ? 0 : 2),
         true);
  }
  EXPECT_EQ(log->samples(), std::uint64_t{accesses});
  const SampledSharing found = log->sharing(4);
  const double early = static_cast<double>(count(found, 0, 1));
  const double late = static_cast<double>(count(found, 2, 3));
  EXPECT_GT(early, 100'000);
  EXPECT_NEAR(early / late, 1, 0.02);
}

TEST(SampleLog, AddressesOfTheKernelAreLeftOut) {
  const auto log = std::make_unique<SampleLog>();
  note(*log, ~std::uintptr_t{0} - 100, 0, true);
  note(*log, ~std::uintptr_t{0} - 100, 1, true);
  EXPECT_TRUE(log->sharing(2).counts.empty());
}

}  // namespace
}  // namespace kith::sharing
