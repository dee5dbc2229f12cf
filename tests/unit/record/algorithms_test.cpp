// All ranks of each collective in one process: does every byte arrive where it must?
#include "record/collectives/algorithms.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace kith::record {
namespace {

struct Message {
  int from;
  int to;
  std::uint64_t bytes;
};

// What all ranks send, in the order of their ranks.
template <class Algorithm>
std::vector<Message> all_messages(int size, Algorithm algorithm) {
  std::vector<Message> messages;
  for (int rank = 0; rank < size; ++rank) {
    algorithm(rank, [&](int to, std::uint64_t bytes) {
      EXPECT_GE(to, 0);
      EXPECT_LT(to, size);
      EXPECT_NE(to, rank);
      messages.push_back({rank, to, bytes});
    });
  }
  return messages;
}

std::uint64_t total(const std::vector<Message>& messages) {
  return std::accumulate(messages.begin(), messages.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Message& m) { return sum + m.bytes; });
}

// Each rank but the root is reached exactly once, and the edges hang together: a tree.
void expect_tree(int size, int root, const std::vector<Message>& messages, bool towards_root) {
  ASSERT_EQ(messages.size(), static_cast<std::size_t>(size - 1));
  std::map<int, int> parent;
  for (const Message& m : messages) {
    const int child = towards_root ? m.from : m.to;
    EXPECT_TRUE(parent.emplace(child, towards_root ? m.to : m.from).second) << child;
  }
  EXPECT_EQ(parent.count(root), 0U);
  for (int rank = 0; rank < size; ++rank) {
    int at = rank;
    for (int steps = 0; at != root && steps <= size; ++steps) at = parent.at(at);
    EXPECT_EQ(at, root);
  }
}

class SizesTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(TwoToSeventeen, SizesTest, ::testing::Range(2, 18));

TEST_P(SizesTest, BroadcastsAndReductionsAreTrees) {
  const int size = GetParam();
  for (int root = 0; root < size; ++root) {
    expect_tree(
        size, root,
        all_messages(size,
                     [&](int rank, auto send) { binomial_broadcast(size, rank, root, 10, send); }),
        false);
    expect_tree(size, root,
                all_messages(size, [&](int rank,
                                       auto send) { chain_broadcast(size, rank, root, 10, send); }),
                false);
    expect_tree(size, root,
                all_messages(size, [&](int rank,
                                       auto send) { binomial_reduce(size, rank, root, 10, send); }),
                true);
  }
}

TEST_P(SizesTest, BinomialBroadcastTakesLogarithmicRounds) {
  const int size = GetParam();
  std::size_t most = 0;
  for (int rank = 0; rank < size; ++rank) {
    std::size_t sends = 0;
    binomial_broadcast(size, rank, 0, 1, [&](int, std::uint64_t) { ++sends; });
    most = std::max(most, sends);
  }
  EXPECT_EQ(most, std::bit_width(static_cast<unsigned>(size - 1)));
}

TEST_P(SizesTest, GatherAndScatterForwardWholeSubtrees) {
  const int size = GetParam();
  for (int root = 0; root < size; ++root) {
    const auto up = all_messages(
        size, [&](int rank, auto send) { binomial_gather(size, rank, root, 5, send); });
    const auto down = all_messages(
        size, [&](int rank, auto send) { binomial_scatter(size, rank, root, 5, send); });
    expect_tree(size, root, up, true);
    expect_tree(size, root, down, false);
    // The root ends up with (gather) or has given away (scatter) everybody else's block.
    std::uint64_t received = 0;
    for (const Message& m : up) received += m.to == root ? m.bytes : 0;
    std::uint64_t given = 0;
    for (const Message& m : down) given += m.from == root ? m.bytes : 0;
    EXPECT_EQ(received, 5ULL * (size - 1));
    EXPECT_EQ(given, 5ULL * (size - 1));
    EXPECT_EQ(total(up), total(down));
  }
}

TEST_P(SizesTest, RecursiveDoublingSpreadsEverything) {
  const int size = GetParam();
  const auto messages =
      all_messages(size, [&](int rank, auto send) { recursive_doubling(size, rank, 8, send); });
  const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  const int rounds = std::bit_width(static_cast<unsigned>(core)) - 1;
  EXPECT_EQ(messages.size(), static_cast<std::size_t>(core * rounds + 2 * (size - core)));
  // Symmetric: whoever sends also hears back as often.
  std::map<std::pair<int, int>, int> balance;
  for (const Message& m : messages) {
    ++balance[{m.from, m.to}];
    --balance[{m.to, m.from}];
  }
  for (const auto& [pair, count] : balance) EXPECT_EQ(count, 0) << pair.first << pair.second;
}

TEST_P(SizesTest, DisseminationReachesEverybody) {
  const int size = GetParam();
  // Replays the rounds: after them everybody has heard of everybody.
  std::vector<std::set<int>> heard(static_cast<std::size_t>(size));
  std::vector<std::vector<int>> sends(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    heard[static_cast<std::size_t>(rank)] = {rank};
    dissemination(size, rank, 0, [&](int to, std::uint64_t) {
      sends[static_cast<std::size_t>(rank)].push_back(to);
    });
  }
  for (std::size_t round = 0; round < sends[0].size(); ++round) {
    auto after = heard;
    for (int rank = 0; rank < size; ++rank) {
      const int to = sends[static_cast<std::size_t>(rank)][round];
      after[static_cast<std::size_t>(to)].merge(std::set(heard[static_cast<std::size_t>(rank)]));
    }
    heard = after;
  }
  for (const auto& set : heard) EXPECT_EQ(set.size(), static_cast<std::size_t>(size));
}

TEST_P(SizesTest, AllgathersDeliverEachBlockOnceToEachOther) {
  const int size = GetParam();
  const auto expected = 7ULL * size * (size - 1);
  EXPECT_EQ(
      total(all_messages(size, [&](int rank, auto send) { bruck_allgather(size, rank, 7, send); })),
      expected);
  if (is_power_of_two(size)) {
    EXPECT_EQ(total(all_messages(
                  size, [&](int rank, auto send) { doubling_allgather(size, rank, 7, send); })),
              expected);
  }
}

TEST_P(SizesTest, RingsCarryUnequalBlocks) {
  const int size = GetParam();
  std::vector<std::uint64_t> blocks(static_cast<std::size_t>(size));
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{1});
  const std::uint64_t sum = std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
  const auto gathered =
      all_messages(size, [&](int rank, auto send) { ring_allgather(size, rank, blocks, send); });
  EXPECT_EQ(total(gathered), sum * (size - 1));  // each block travels to all others
  for (const Message& m : gathered) EXPECT_EQ(m.to, (m.from + 1) % size);
  // The last block to leave a rank is the one its right neighbour must not have had already.
  for (int rank = 0; rank < size; ++rank) {
    std::uint64_t sent = 0;
    ring_allgather(size, rank, blocks, [&](int, std::uint64_t bytes) { sent += bytes; });
    EXPECT_EQ(sent, sum - blocks[static_cast<std::size_t>((rank + 1) % size)]);
    sent = 0;
    ring_reduce_scatter(size, rank, blocks, [&](int, std::uint64_t bytes) { sent += bytes; });
    EXPECT_EQ(sent, sum - blocks[static_cast<std::size_t>(rank)]);  // its own sum stays with it
  }
}

TEST_P(SizesTest, AlltoallsMoveEachBlock) {
  const int size = GetParam();
  // Bruck's sends a block once per set bit of its distance.
  std::uint64_t expected = 0;
  for (int distance = 1; distance < size; ++distance) {
    expected += 3ULL * size * std::popcount(static_cast<unsigned>(distance));
  }
  EXPECT_EQ(
      total(all_messages(size, [&](int rank, auto send) { bruck_alltoall(size, rank, 3, send); })),
      expected);
  const auto direct = all_messages(size, [&](int rank, auto send) {
    direct_alltoall(
        size, rank, [&](int peer) { return 100ULL * rank + peer; }, send);
  });
  std::set<std::pair<int, int>> pairs;
  for (const Message& m : direct) {
    EXPECT_EQ(m.bytes, 100ULL * m.from + m.to);
    pairs.emplace(m.from, m.to);
  }
  EXPECT_EQ(pairs.size(), static_cast<std::size_t>(size * (size - 1)));
}

}  // namespace
}  // namespace kith::record
