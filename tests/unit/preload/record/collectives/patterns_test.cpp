// Does every byte arrive where it must?
#include <bit>
#include <numeric>
#include <set>
#include <utility>

#include "record/collectives/patterns/patterns.hpp"
#include "unit/preload/record/collectives/all_ranks.hpp"

namespace kith::record {
namespace {

class SizesTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(TwoToSeventeen, SizesTest, ::testing::Range(2, 18));

std::uint64_t times(int n, std::uint64_t bytes) {
  return static_cast<std::uint64_t>(n) * bytes;
}

TEST_P(SizesTest, BroadcastsGiveEveryRankEverything) {
  const int size = GetParam();
  const Payload payload{1001, 3};
  for (int root = 0; root < size; ++root) {
    const auto tree = all_messages(size, [&](const Place& place, Send send) {
      tree_broadcast(Tree(Tree::Shape::chains, place, root, 3), payload, 100, send);
    });
    const auto split = all_messages(size, [&](const Place& place, Send send) {
      split_binary_broadcast(place, root, payload, 256, send);
    });
    const auto doubling = all_messages(size, [&](const Place& place, Send send) {
      scatter_doubling_broadcast(place, root, payload, send);
    });
    const auto ring = all_messages(size, [&](const Place& place, Send send) {
      scatter_ring_broadcast(place, root, payload, send);
    });
    for (int rank = 0; rank < size; ++rank) {
      if (rank == root) continue;
      EXPECT_EQ(received(tree, rank), payload.bytes());
      EXPECT_EQ(received(split, rank), payload.bytes());
      EXPECT_GE(received(doubling, rank), payload.bytes());
      EXPECT_GE(received(ring, rank), payload.bytes());
    }
  }
}

TEST_P(SizesTest, ReductionsSendEveryContributionOnce) {
  const int size = GetParam();
  const Payload payload{100, 8};
  for (int root = 0; root < size; ++root) {
    for (const auto shape : {Tree::Shape::binary, Tree::Shape::in_order_binomial}) {
      const auto messages = all_messages(size, [&](const Place& place, Send send) {
        tree_reduce(Tree(shape, place, root), payload, 30, send);
      });
      EXPECT_EQ(messages.size(), 4U * static_cast<std::size_t>(size - 1));  // 30 + 30 + 30 + 10
      for (int rank = 0; rank < size; ++rank) {
        EXPECT_EQ(sent(messages, rank), rank == root ? 0 : payload.bytes());
      }
    }
    const auto halving = all_messages(size, [&](const Place& place, Send send) {
      halving_gather_reduce(place, root, payload, send);
    });
    EXPECT_GE(received(halving, root), payload.bytes() / 2);
    for (int rank = 0; rank < size; ++rank) EXPECT_GE(sent(halving, rank), payload.bytes() / 2);
  }
}

TEST_P(SizesTest, AllreducesMoveTheLeastTheyCan) {
  const int size = GetParam();
  const Payload payload{1000, 4};
  const std::uint64_t least = times(2 * (size - 1), payload.bytes());  // in and out, all ranks
  const auto ring = all_messages(
      size, [&](const Place& place, Send send) { ring_allreduce(place, payload, send); });
  EXPECT_EQ(total(ring), least);
  const auto segmented = all_messages(size, [&](const Place& place, Send send) {
    segmented_ring_allreduce(place, payload, 10, send);
  });
  EXPECT_EQ(total(segmented), least);
  const auto halving = all_messages(size, [&](const Place& place, Send send) {
    halving_doubling_allreduce(place, payload, send);
  });
  if (is_power_of_two(size)) {
    EXPECT_EQ(total(halving), least);
  }
  const auto doubling = all_messages(
      size, [&](const Place& place, Send send) { doubling_allreduce(place, payload, send); });
  const int core = power_of_two_within(size);
  const int rounds = std::bit_width(static_cast<unsigned>(core)) - 1;
  EXPECT_EQ(total(doubling), times(core * rounds + 2 * (size - core), payload.bytes()));
}

TEST_P(SizesTest, AllgathersDeliverEachBlockOnceToEachOther) {
  const int size = GetParam();
  std::vector<int> counts(static_cast<std::size_t>(size));
  std::iota(counts.begin(), counts.end(), 0);
  const Blocks blocks(counts.data(), 5);
  const std::uint64_t sum = blocks.bytes(0, size);
  const auto expect_delivery = [&](const std::vector<SentMessage>& messages) {
    for (int rank = 0; rank < size; ++rank) {
      EXPECT_EQ(received(messages, rank), sum - blocks.bytes(rank));
    }
  };
  expect_delivery(all_messages(
      size, [&](const Place& place, Send send) { bruck_allgather(place, blocks, send); }));
  expect_delivery(all_messages(
      size, [&](const Place& place, Send send) { ring_allgather(place, blocks, send); }));
  expect_delivery(all_messages(size, [&](const Place& place, Send send) {
    neighbour_exchange_allgather(place, blocks, send);
  }));
  if (is_power_of_two(size)) {
    expect_delivery(all_messages(
        size, [&](const Place& place, Send send) { doubling_allgather(place, blocks, send); }));
  }
}

TEST_P(SizesTest, GatherAndScatterForwardWholeSubtrees) {
  const int size = GetParam();
  for (int root = 0; root < size; ++root) {
    const auto up = all_messages(
        size, [&](const Place& place, Send send) { binomial_gather(place, root, 5, send); });
    const auto down = all_messages(
        size, [&](const Place& place, Send send) { binomial_scatter(place, root, 5, send); });
    EXPECT_EQ(received(up, root), times(size - 1, 5));
    EXPECT_EQ(sent(down, root), times(size - 1, 5));
    EXPECT_EQ(total(up), total(down));
    const auto asked = all_messages(size, [&](const Place& place, Send send) {
      synchronised_gather(place, root, {5, 1}, 2, send);
    });
    EXPECT_EQ(asked.size(), 3U * static_cast<std::size_t>(size - 1));
    EXPECT_EQ(received(asked, root), times(size - 1, 5));
  }
}

TEST_P(SizesTest, ReduceScattersLeaveEveryRankItsBlock) {
  const int size = GetParam();
  std::vector<int> counts(static_cast<std::size_t>(size), 6);
  const Blocks blocks(counts.data(), 4);
  const std::uint64_t all = blocks.bytes(0, size);
  const auto ring = all_messages(
      size, [&](const Place& place, Send send) { ring_reduce_scatter(place, blocks, send); });
  const auto halving = all_messages(
      size, [&](const Place& place, Send send) { halving_reduce_scatter(place, blocks, send); });
  const auto butterfly = all_messages(
      size, [&](const Place& place, Send send) { butterfly_reduce_scatter(place, blocks, send); });
  const auto block = all_messages(size, [&](const Place& place, Send send) {
    butterfly_reduce_scatter_block(place, 24, send);
  });
  const auto doubling = all_messages(size, [&](const Place& place, Send send) {
    doubling_reduce_scatter(place, Blocks(1, 24), send);
  });
  for (int rank = 0; rank < size; ++rank) {
    EXPECT_EQ(sent(ring, rank), all - 24);
    for (const auto* messages : {&halving, &butterfly, &block, &doubling}) {
      EXPECT_GE(received(*messages, rank), 24U);
      EXPECT_GE(sent(*messages, rank), all - 24);
    }
  }
  if (is_power_of_two(size)) {
    EXPECT_EQ(total(halving), times(size, all - 24));
    EXPECT_EQ(total(block), times(size, all - 24));
  }
}

TEST_P(SizesTest, AlltoallsMoveEachBlock) {
  const int size = GetParam();
  std::uint64_t expected = 0;  // Bruck sends a block once per set bit of its distance
  for (int distance = 1; distance < size; ++distance) {
    expected +=
        times(size, 3) * static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(distance)));
  }
  EXPECT_EQ(total(all_messages(
                size, [&](const Place& place, Send send) { bruck_alltoall(place, 3, send); })),
            expected);
  std::set<std::pair<int, int>> pairs;
  for (const SentMessage& m :
       all_messages(size, [&](const Place&place, Send send) { direct_alltoall(place, 9, send); })) {
    EXPECT_EQ(m.bytes, 9U);
    pairs.emplace(m.from, m.to);
  }
  EXPECT_EQ(pairs.size(), static_cast<std::size_t>(size * (size - 1)));
}

// Replays rounds in which every rank tells one other all that it has heard.
TEST_P(SizesTest, DisseminationReachesEverybody) {
  const int size = GetParam();
  const auto messages = all_messages(size, dissemination_barrier);
  std::vector<std::set<int>> heard(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) heard[static_cast<std::size_t>(rank)] = {rank};
  const std::size_t rounds = messages.size() / static_cast<std::size_t>(size);
  for (std::size_t round = 0; round < rounds; ++round) {
    auto after = heard;
    for (std::size_t rank = 0; rank < heard.size(); ++rank) {
      const auto to = static_cast<std::size_t>(messages[rank * rounds + round].to);
      after[to].insert(heard[rank].begin(), heard[rank].end());
    }
    heard = after;
  }
  for (const auto& who : heard) EXPECT_EQ(who.size(), static_cast<std::size_t>(size));
}

TEST_P(SizesTest, BarriersMakeEveryRankSpeakAndHear) {
  const int size = GetParam();
  for (auto* const barrier : {linear_barrier, double_ring_barrier, doubling_barrier,
                              dissemination_barrier, tree_barrier}) {
    std::set<int> speakers;
    std::set<int> hearers;
    for (const SentMessage& m : all_messages(size, barrier)) {
      EXPECT_EQ(m.bytes, 0U);
      speakers.insert(m.from);
      hearers.insert(m.to);
    }
    EXPECT_EQ(speakers.size(), static_cast<std::size_t>(size));
    EXPECT_EQ(hearers.size(), static_cast<std::size_t>(size));
  }
}

TEST(Segments, RoundAsTheLibraryDoes) {
  EXPECT_EQ(segment_count({100, 8}, 0), 100);    // no segments
  EXPECT_EQ(segment_count({100, 8}, 7), 100);    // smaller than an element
  EXPECT_EQ(segment_count({100, 8}, 800), 100);  // everything fits
  EXPECT_EQ(segment_count({100, 8}, 84), 10);    // 80 and half an element: not beyond the middle
  EXPECT_EQ(segment_count({100, 8}, 85), 11);
}

}  // namespace
}  // namespace kith::record
