// The decisions of Open MPI 4.1: which algorithm at which size, and what a user may change. Message
// counts of 8 ranks were measured with the library's own monitoring.
#include "record/collectives/models.hpp"
#include "unit/preload/record/collectives/all_ranks.hpp"
#include "unit/test_files.hpp"

namespace kith::record::openmpi {
namespace {

TEST(Thresholds, HoldOnBothSidesOfALimit) {
  EXPECT_EQ(fixed_algorithm(Collective::bcast, 3, 31), 3);
  EXPECT_EQ(fixed_algorithm(Collective::bcast, 3, 32), 5);
  EXPECT_EQ(fixed_algorithm(Collective::bcast, 4, 31), 5);
  EXPECT_EQ(fixed_algorithm(Collective::bcast, 100'000, 1ULL << 40), 8);
  EXPECT_EQ(fixed_algorithm(Collective::allgather, 2, 0), 6);
  EXPECT_EQ(fixed_algorithm(Collective::allgather, 3, 0), 3);
  EXPECT_EQ(fixed_algorithm(Collective::barrier, 8, 0), 3);
  EXPECT_EQ(fixed_algorithm(Collective::allreduce, 3, 1 << 20, true), 6);
  EXPECT_EQ(fixed_algorithm(Collective::allreduce, 3, 1 << 20, false), 1);
  EXPECT_EQ(fixed_algorithm(Collective::gatherv, 8, 0), 0);
}

struct ForcedCase {
  Collective collective;
  int algorithm;
  std::size_t messages;  // of 8 ranks
};

std::size_t messages_of(const Tuned& tuned, Collective collective) {
  const Payload payload{64, 4};
  const Arguments arguments{.payload = payload, .blocks = Blocks(payload.count, payload.element)};
  return all_messages(8, tuned, collective, arguments).size();
}

TEST(Tuned, ForcedAlgorithmsSendAsManyMessagesAsMeasured) {
  using enum Collective;
  constexpr ForcedCase cases[] = {
      {bcast, 1, 7},      {bcast, 6, 7},      {bcast, 8, 31},     {reduce, 5, 7},
      {reduce, 7, 31},    {allreduce, 1, 14}, {allreduce, 3, 24}, {allreduce, 4, 112},
      {allreduce, 6, 48}, {allgather, 2, 24}, {allgather, 3, 24}, {allgather, 4, 56},
      {allgather, 5, 32}, {alltoall, 1, 56},  {alltoall, 3, 24},  {reduce_scatter_block, 3, 24},
      {barrier, 1, 14},   {barrier, 6, 14},   {barrier, 3, 24},   {barrier, 4, 24},
      {barrier, 2, 16}};
  for (const ForcedCase& c : cases) {
    Settings settings;
    settings.dynamic = true;
    settings.forced[static_cast<std::size_t>(c.collective)].algorithm = c.algorithm;
    EXPECT_EQ(messages_of(Tuned(settings), c.collective), c.messages)
        << "collective " << static_cast<int>(c.collective) << " algorithm " << c.algorithm;
  }
}

TEST(Tuned, ForcingCountsOnlyWithDynamicRules) {
  Settings settings;
  settings.forced[static_cast<std::size_t>(Collective::barrier)].algorithm = 2;
  EXPECT_EQ(messages_of(Tuned(settings), Collective::barrier), 24U);
  settings.dynamic = true;
  EXPECT_EQ(messages_of(Tuned(settings), Collective::barrier), 16U);
}

TEST(Libnbc, ChoosesOtherwiseThanTheBlockingCalls) {
  const Settings settings;
  const Libnbc libnbc(settings);
  const Arguments ints{.payload = {1, 4}, .blocks = Blocks(std::int64_t{1}, 4)};
  EXPECT_EQ(all_messages(8, libnbc, Collective::allgather, ints).size(), 56U);
  const Arguments nothing{.payload = {0, 4}};
  const auto empty = all_messages(8, libnbc, Collective::alltoall, nothing);
  EXPECT_EQ(empty.size(), 56U);  // blocking ones return at once
}

TEST(Inter, ResultsTravelThroughTheFirstRanks) {
  const Settings settings;
  const Tuned tuned(settings);
  const Inter inter(tuned);
  std::vector<SentMessage> across;
  for (int rank = 0; rank < 3; ++rank) {
    auto local = [](int, std::uint64_t) {};
    auto remote = [&](int to, std::uint64_t bytes) { across.push_back({rank, to, bytes}); };
    inter.messages(Collective::allreduce, {{3, rank}, 2}, {.payload = {10, 4}}, {local, remote});
  }
  EXPECT_EQ(across, (std::vector<SentMessage>{{0, 0, 40}}));
}

class RuleFile : public ::testing::Test {
 protected:
  bool read(const std::string& text) {
    const std::filesystem::path path = folder_.write("rules", text);
    settings.dynamic = true;
    return read_rule_file(path.c_str(), settings.rules);
  }
  Choice choice(int ranks, std::uint64_t bytes) {
    return users_choice(settings, Collective::allreduce, ranks, bytes);
  }
  Settings settings;

 private:
  TempDirectory folder_;  // of this test alone: others run at the same time
};

TEST_F(RuleFile, TheLastRuleWithinBothSizesHolds) {
  ASSERT_TRUE(
      read("1 # one collective\n2 # allreduce\n2 # two sizes\n"
           "4 1\n0 3 0 0\n"
           "16 2 # from 16 ranks on\n0 4 0 0\n1000 5 2 4096\n"));
  EXPECT_EQ(choice(2, 0).algorithm, 3);  // below the first size the first holds
  EXPECT_EQ(choice(15, 9999).algorithm, 3);
  EXPECT_EQ(choice(16, 999).algorithm, 4);
  const Choice last = choice(100, 1000);
  EXPECT_EQ(last.algorithm, 5);
  EXPECT_EQ(last.fanout, 2);
  EXPECT_EQ(last.segment_bytes, 4096U);
  EXPECT_EQ(users_choice(settings, Collective::bcast, 100, 1000).algorithm, 0);
}

TEST_F(RuleFile, AlgorithmZeroLeavesTheDecision) {
  ASSERT_TRUE(read("1 2 1 1 1 0 0 0 0"));
  EXPECT_EQ(choice(8, 8).algorithm, 0);
  settings.forced[static_cast<std::size_t>(Collective::allreduce)].algorithm = 6;
  EXPECT_EQ(choice(8, 8).algorithm, 6);
}

TEST_F(RuleFile, WhatTheLibraryRejectsIsNoRule) {
  EXPECT_FALSE(read("1 2 1 4 1 5 3 0 0"));      // the first message size is not 0
  EXPECT_FALSE(read("1 2 1 4 1 0 3 0"));        // ends early
  EXPECT_FALSE(read("23 "));                    // more collectives than there are
  EXPECT_FALSE(read("1 22 0"));                 // no such collective
  EXPECT_FALSE(read("1 2 1 4 900000000 0 3"));  // a count that nothing follows
  EXPECT_FALSE(read_rule_file("/nonexistent", settings.rules));
  EXPECT_EQ(choice(8, 8).algorithm, 0);
}

}  // namespace
}  // namespace kith::record::openmpi
