#include "timeline/host_file.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kith/error.hpp"
#include "timeline_samples.hpp"

namespace kith::timeline {
namespace {

std::string host_file_of(const std::vector<RankTimeline>& ranks) {
  HostFile file;
  for (const RankTimeline& rank : ranks) file.add(pack_rank(rank));
  return file.take();
}

void expect_near(const TimeSummary& a, const TimeSummary& b) {
  EXPECT_NEAR(a.sum, b.sum, 0.0006 * b.sum);
  EXPECT_NEAR(a.least, b.least, 0.004 * b.least);
  EXPECT_NEAR(a.most, b.most, 0.004 * b.most);
}

void expect_same(const ThreadStream& a, const ThreadStream& b) {
  EXPECT_EQ(a.program.events, b.program.events);
  EXPECT_EQ(a.program.lists, b.program.lists);
  ASSERT_EQ(a.program.rules.size(), b.program.rules.size());
  for (std::size_t r = 0; r < a.program.rules.size(); ++r) {
    const auto& items = a.program.rules[r].items;
    const auto& others = b.program.rules[r].items;
    ASSERT_EQ(items.size(), others.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      EXPECT_EQ(items[i].is_rule, others[i].is_rule);
      EXPECT_EQ(items[i].index, others[i].index);
      EXPECT_EQ(items[i].repeats, others[i].repeats);
      EXPECT_EQ(items[i].times, others[i].times);
    }
  }
  ASSERT_EQ(a.times.size(), b.times.size());
  for (std::size_t i = 0; i < a.times.size(); ++i) {
    EXPECT_EQ(a.times[i].timed, b.times[i].timed);
    expect_near(a.times[i].before, b.times[i].before);
    expect_near(a.times[i].inside, b.times[i].inside);
    EXPECT_EQ(a.times[i].has_first, b.times[i].has_first);
    EXPECT_NEAR(a.times[i].first_before, b.times[i].first_before, 0.0006 * b.times[i].first_before);
    EXPECT_NEAR(a.times[i].asleep, b.times[i].asleep, 0.0006 * b.times[i].asleep);
    EXPECT_NEAR(a.times[i].first_asleep, b.times[i].first_asleep, 0.0006 * b.times[i].first_asleep);
  }
  EXPECT_EQ(a.preempted, b.preempted);
  EXPECT_EQ(a.begin, b.begin);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.bytes, b.bytes);
  ASSERT_EQ(a.omissions.size(), b.omissions.size());
}

void expect_same(const RankTimeline& a, const RankTimeline& b) {
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.init_seconds, b.init_seconds);
  EXPECT_EQ(a.run_seconds, b.run_seconds);
  EXPECT_EQ(a.computing_seconds, b.computing_seconds);
  ASSERT_EQ(a.communicators.size(), b.communicators.size());
  for (std::size_t i = 0; i < a.communicators.size(); ++i) {
    EXPECT_EQ(a.communicators[i].identity, b.communicators[i].identity);
    EXPECT_EQ(a.communicators[i].size, b.communicators[i].size);
    EXPECT_EQ(a.communicators[i].rank, b.communicators[i].rank);
    EXPECT_EQ(a.communicators[i].remote_size, b.communicators[i].remote_size);
    EXPECT_EQ(a.communicators[i].is_window, b.communicators[i].is_window);
    EXPECT_EQ(a.communicators[i].members, b.communicators[i].members);
  }
  ASSERT_EQ(a.threads.size(), b.threads.size());
  for (std::size_t i = 0; i < a.threads.size(); ++i) expect_same(a.threads[i], b.threads[i]);
}

/// Everything that a rank may have, in one.
RankTimeline rich_rank() {
  RankTimeline timeline = ring(4, 10)[2];
  timeline.threads.push_back(stencil(2, 2, 5)[2].threads[0]);
  ThreadStream& last = timeline.threads.back();
  last.omissions = {{3, 1000, 1u << 20U, 0.5}, {9, 5, 0, 0.25}};
  last.events += 1005;
  last.bytes += 1u << 20U;
  last.preempted = 0.375;
  last.times[1].asleep = 5e9;
  last.times[2].first_asleep = 3e8;
  Communicator half{77, 2, 1, 2, false, {}};
  const std::vector<std::int64_t> members{0, 2};
  half.members.resize(encode_list(members, 1, nullptr, 0));
  encode_list(members, 1, half.members.data(), half.members.size());
  timeline.communicators.push_back(half);
  timeline.communicators.push_back({78, 4, 2, 0, true, {}});
  return timeline;
}

/// Refused with the file and the place in it, or read: nothing else.
template <class Read>
bool is_refused(Read&& read) {
  try {
    read();
    return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("it: byte ")) << text;
    EXPECT_NE(text.find(": expected "), std::string::npos) << text;
    EXPECT_NE(text.find(", found "), std::string::npos) << text;
    return true;
  }
}

void read_all(std::string bytes) {
  const HostFileReader reader("it", std::move(bytes));
  for (const RankPlace& rank : reader.ranks()) reader.read(rank);
}

TEST(PackedRank, ComesBack) {
  const RankTimeline rank = rich_rank();
  expect_same(unpack_rank(pack_rank(rank), "it"), rank);
  const RankTimeline idle = rank_of(0, 1);
  expect_same(unpack_rank(pack_rank(idle), "it"), idle);
}

TEST(PackedRank, RoundingTwiceIsRoundingOnce) {
  const std::string once = pack_rank(rich_rank());
  EXPECT_EQ(pack_rank(unpack_rank(once, "it")), once);
}

TEST(PackedRank, IsRefusedWhereItEndsEarly) {
  const std::string whole = pack_rank(rich_rank());
  EXPECT_NO_THROW(unpack_rank(whole, "it"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(is_refused([&] { unpack_rank(whole.substr(0, size), "it"); })) << size;
  }
}

TEST(PackedRank, IsRefusedWithOneBitChanged) {
  const std::string whole = pack_rank(rich_rank());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(is_refused([&] { unpack_rank(damaged, "it"); })) << bit;
  }
}

/// The checksum put right: what follows must look at every number itself.
TEST(PackedRank, DamageWithARightChecksumIsReadOrRefused) {
  const std::string whole = pack_rank(rich_rank());
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string body = whole.substr(8, whole.size() - 16);
    for (std::uint32_t i = 0; i <= random() % 3; ++i) {
      body[random() % body.size()] = static_cast<char>(random());
    }
    const std::uint64_t sum = checksum(body);
    const std::string damaged =
        "KITHRANK" + body + std::string(reinterpret_cast<const char*>(&sum), sizeof sum);
    if (is_refused([&] { unpack_rank(damaged, "it"); })) ++refused;
  }
  EXPECT_GT(refused, 5000);
}

TEST(HostFile, KeepsEveryRank) {
  std::vector<RankTimeline> ranks = ring(8, 100);
  ranks[3] = rank_of(3, 8);
  ranks[5].threads.push_back(stencil(2, 4, 5)[5].threads[0]);
  const HostFileReader reader("it", host_file_of(ranks));
  ASSERT_EQ(reader.ranks().size(), 8U);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(reader.ranks()[i].rank, i);
    expect_same(reader.read(reader.ranks()[i]), ranks[i]);
  }
}

TEST(HostFile, HasNoRanksAtFirst) {
  HostFile file;
  EXPECT_TRUE(HostFileReader("it", file.take()).ranks().empty());
}

TEST(HostFile, RefusesDamageAndGoesOn) {
  const std::vector<RankTimeline> ranks = ring(4, 10);
  HostFile file;
  file.add(pack_rank(ranks[0]));
  std::string damaged = pack_rank(ranks[1]);
  damaged[20] ^= 1;
  EXPECT_THROW(file.add(damaged), Error);
  file.add(pack_rank(ranks[2]));
  const HostFileReader reader("it", file.take());
  ASSERT_EQ(reader.ranks().size(), 2U);
  expect_same(reader.read(reader.ranks()[1]), ranks[2]);
}

TEST(HostFile, EqualProgramsCostLittle) {
  std::vector<RankTimeline> ranks = stencil(16, 16, 1000);
  // The interior of a grid that is not periodic runs the same program everywhere.
  std::mt19937 random(1);
  for (RankTimeline& rank : ranks) {
    rank.threads[0].program = ranks[17 * 2].threads[0].program;
    for (PositionTimes& times : rank.threads[0].times) {
      times = StreamMaker::times_like(1e4 * (1 + 0.05 * static_cast<double>(random() % 100) / 100),
                                      times.timed);
    }
  }
  std::vector<RankTimeline> some(ranks.begin() + 34, ranks.begin() + 35);
  const std::size_t one = host_file_of(some).size();
  for (int i = 60; i < 70; ++i) some.push_back(ranks[static_cast<std::size_t>(i)]);
  const std::size_t eleven = host_file_of(some).size();
  EXPECT_LT((eleven - one) / 10, 210U) << one;  // 11 positions with noise of 5%
}

/// Ranks with one program, and one with everything that a rank may have.
std::string small_host_file() {
  std::vector<RankTimeline> ranks = ring(4, 10);
  ranks[2] = rich_rank();
  return host_file_of(ranks);
}

TEST(HostFile, IsRefusedWhereItEndsEarly) {
  const std::string whole = small_host_file();
  EXPECT_NO_THROW(read_all(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(is_refused([&] { read_all(whole.substr(0, size)); })) << size;
  }
}

TEST(HostFile, IsRefusedWithOneBitChanged) {
  const std::string whole = small_host_file();
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(is_refused([&] { read_all(damaged); })) << bit;
  }
}

TEST(PackedRank, OmitsNoMoreThanTheThreadDid) {
  RankTimeline timeline = ring(3, 10).front();
  ThreadStream& thread = timeline.threads.back();
  thread.omissions = {{1, thread.events, 0, 0}};
  EXPECT_NO_THROW(unpack_rank(pack_rank(timeline), "it"));
  thread.omissions.push_back({2, 1, 0, 0});
  EXPECT_THROW(unpack_rank(pack_rank(timeline), "it"), Error);
  thread.omissions = {{1, 1, thread.bytes + 1, 0}};
  EXPECT_THROW(unpack_rank(pack_rank(timeline), "it"), Error);
}

TEST(PackedRank, RefusesARootThatIsNoMember) {
  for (const std::int32_t root : {0, 2, 3, -1}) {
    StreamMaker maker;
    maker.add(event_of(Op::bcast, root));
    RankTimeline timeline = ring(3, 1).front();
    timeline.threads = {maker.take()};
    const bool is_member = root == 0 || root == 2;
    if (is_member) {
      EXPECT_NO_THROW(unpack_rank(pack_rank(timeline), "it")) << root;
    } else {
      EXPECT_THROW(unpack_rank(pack_rank(timeline), "it"), Error) << root;
    }
  }
}

TEST(HostFile, SaysWhereTheDamageIs) {
  std::string file = host_file_of(ring(3, 10));
  const std::size_t place = HostFileReader("it", file).ranks()[1].place;
  file[place + 10] ^= 1;
  try {
    read_all(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "it: byte " + std::to_string(place) +
                  ": expected a rank of a timeline with its checksum, found damaged bytes");
  }
}

}  // namespace
}  // namespace kith::timeline
