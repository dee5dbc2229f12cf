#include "record/peer_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <thread>

namespace kith::record {
namespace {

// A table begins as zeroed memory, as in a thread's record.
std::unique_ptr<PeerTable, decltype(&std::free)> make_table() {
  return {static_cast<PeerTable*>(std::calloc(1, sizeof(PeerTable))), &std::free};
}

TEST(PeerTableTest, CountsLikeAMap) {
  const auto table = make_table();
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> expected;
  std::mt19937 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const auto peer = static_cast<std::uint32_t>(random() % 30'000 * 131);
    const std::uint64_t bytes = random() % 1000;
    RowEntry* const entry = table->find_or_add(peer, RowDirection::sent);
    ASSERT_NE(entry, nullptr);
    entry->add(1, bytes);
    expected[peer].first += bytes;
    expected[peer].second += 1;
  }
  EXPECT_EQ(table->size(), expected.size());
  std::size_t seen = 0;
  table->for_each([&](const RowEntry& entry) {
    ++seen;
    EXPECT_EQ(expected.at(entry.peer), (std::pair{entry.bytes[1].load(), entry.messages.load()}));
  });
  EXPECT_EQ(seen, expected.size());
}

TEST(PeerTableTest, EntriesNeverMove) {
  const auto table = make_table();
  RowEntry* const first = table->find_or_add(42, RowDirection::sent);
  for (std::uint32_t peer = 0; peer < 10'000; ++peer) table->find_or_add(peer, RowDirection::sent);
  EXPECT_EQ(table->find_or_add(42, RowDirection::sent), first);
}

TEST(PeerTableTest, MayBeReadWhileItsOwnerAdds) {
  const auto table = make_table();
  constexpr std::uint32_t peers = 50'000;
  std::thread owner([&] {
    for (std::uint32_t peer = 0; peer < peers; ++peer) table->find_or_add(peer, RowDirection::sent)->add(0, peer);
  });
  for (int round = 0; round < 50; ++round) {
    table->for_each([](const RowEntry& entry) {
      const std::uint64_t bytes = entry.bytes[0].load(std::memory_order_relaxed);
      EXPECT_TRUE(bytes == entry.peer || bytes == 0);  // 0: added, not yet counted
    });
  }
  owner.join();
  EXPECT_EQ(table->size(), peers);
}

TEST(PeerTableTest, TakesNoMemoryBeforeTheFirstPeer) {
  const auto table = make_table();
  EXPECT_EQ(table->size(), 0U);
  table->for_each([](const RowEntry&) { FAIL(); });
}

}  // namespace
}  // namespace kith::record
