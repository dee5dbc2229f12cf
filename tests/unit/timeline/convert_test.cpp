#include "timeline/convert/convert.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kith/error.hpp"
#include "timeline/convert/message_plan.hpp"
#include "timeline/traffic.hpp"
#include "timeline/unroll.hpp"
#include "timeline_programs.hpp"
#include "unit/test_files.hpp"

namespace kith::timeline {
namespace {

namespace fs = std::filesystem;

/// A trace's folder with the timelines of two hosts.
class Converted : public ::testing::Test {
 protected:
  void record(const std::vector<RankTimeline>& ranks) {
    write_trace(folder_.path() / "t.kith", ranks);
    files_.emplace(folder_.path() / "t.kith");
  }
  static std::vector<std::vector<std::string>> lines_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      lines.emplace_back(std::istream_iterator<std::string>(words),
                         std::istream_iterator<std::string>());
    }
    return lines;
  }

  /// Calls `write` with a new file of the folder.
  template <class Write>
  auto written(const char* name, Write&& write) {
    std::FILE* const file = std::fopen((folder_.path() / name).c_str(), "w");
    FdWriter text(fileno(file));
    auto report = write(text);
    EXPECT_TRUE(text.flush());
    std::fclose(file);
    return report;
  }
  ChromeTraceReport chrome(const char* name, const ChromeTraceOptions& options) {
    return written(name,
                   [&](FdWriter& text) { return write_chrome_trace(*files_, text, options); });
  }

  TempDirectory folder_;
  std::optional<TimelineFiles> files_;
};

using Channel = std::tuple<std::string, std::string, std::string>;  // from, to, tag
struct Sizes {
  std::vector<std::string> sent;
  std::vector<std::string> received;
};

/// Every message has both ends, in one order, with one size; every wait has its request.
std::map<Channel, Sizes> check_simgrid(const fs::path& folder, std::size_t ranks) {
  std::map<Channel, Sizes> channels;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::string name = std::to_string(rank);
    name.insert(0, 6 - name.size(), '0');
    std::ifstream file(folder / ("rank-" + name + ".txt"));
    const std::string self = std::to_string(rank);
    std::map<Channel, int> under_way;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string who, what, peer, tag, size;
      words >> who >> what >> peer >> tag >> size;
      EXPECT_EQ(who, self);
      const Channel out{self, peer, tag};
      const Channel in{peer, self, tag};
      if (what == "send" || what == "isend") channels[out].sent.push_back(size);
      if (what == "recv" || what == "irecv") channels[in].received.push_back(size);
      if (what == "isend") ++under_way[out];
      if (what == "irecv") ++under_way[in];
      if (what == "wait") {
        const int left = --under_way[Channel(peer, tag, size)];
        EXPECT_GE(left, 0) << line;
      }
      if (what == "waitall") under_way.clear();
    }
    for (const auto& [channel, number] : under_way) {
      // Nobody waits for a buffered send.
      EXPECT_TRUE(number == 0 || std::get<0>(channel) == self) << self;
    }
  }
  for (const auto& [channel, sizes] : channels) EXPECT_EQ(sizes.sent, sizes.received);
  return channels;
}

std::vector<TrafficCell> cells_of(const std::map<Channel, Sizes>& channels) {
  std::vector<TrafficCell> cells;
  for (const auto& [channel, sizes] : channels) {
    for (const std::string& size : sizes.sent) {
      cells.push_back({static_cast<std::uint32_t>(std::stoul(std::get<0>(channel))),
                       static_cast<std::uint32_t>(std::stoul(std::get<1>(channel))),
                       std::stoull(size), 1});
    }
  }
  return summed(std::move(cells));
}

std::vector<TrafficCell> traffic_of_all(const std::vector<RankTimeline>& ranks) {
  std::vector<TrafficCell> all;
  for (const RankTimeline& rank : ranks) {
    for (const TrafficCell& cell : traffic_of(rank)) all.push_back(cell);
  }
  return summed(std::move(all));
}

TEST_F(Converted, SimgridGetsEveryMessageOnce) {
  int number = 0;
  for (const std::vector<RankTimeline>& ranks :
       {ring(5, 20), stencil(3, 4, 5), mixture(6, 7)}) {
    record(ranks);
    const fs::path out = folder_.path() / ("out" + std::to_string(number++));
    const ConversionReport report = write_simgrid_traces(*files_, out, CollectivesAs::messages);
    EXPECT_EQ(report.left_out_messages, 0U);
    EXPECT_EQ(cells_of(check_simgrid(out, ranks.size())), traffic_of_all(ranks));
    EXPECT_EQ(lines_of(out / "index").size(), ranks.size());
  }
}

/// What a rank of a SimGrid trace does, a word and a peer each, from the first message on.
std::vector<std::string> calls_of(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::string> calls;
  for (const std::vector<std::string>& words : lines) {
    if (words[1] == "irecv" || words[1] == "isend") calls.push_back(words[1] + " " + words[2]);
    if (words[1] == "wait") calls.push_back("wait " + words[2] + "->" + words[3]);
    if (words[1] == "waitall") calls.push_back("waitall");
  }
  return calls;
}

using Calls = std::vector<std::string>;

/// A rank of a broadcast passes on what it has.
TEST_F(Converted, ABroadcastIsPassedOn) {
  record(collective(Op::bcast, 4, {{0, 2, 100}, {0, 1, 100}, {2, 3, 100}}));
  write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  const auto calls = [&](const char* name) {
    return calls_of(lines_of(folder_.path() / "out" / name));
  };
  EXPECT_EQ(calls("rank-000000.txt"), (Calls{"isend 2", "wait 0->2", "isend 1", "wait 0->1"}));
  EXPECT_EQ(calls("rank-000002.txt"), (Calls{"irecv 0", "wait 0->2", "isend 3", "wait 2->3"}));
  EXPECT_EQ(calls("rank-000003.txt"), (Calls{"irecv 2", "wait 2->3"}));
}

/// Who has two children sends once both have come; of segments one after the other.
TEST_F(Converted, AReductionWaitsForItsShare) {
  record(collective(Op::reduce, 4, {{3, 1, 100}, {2, 1, 100}, {1, 0, 100}, {3, 1, 100},
                                    {2, 1, 100}, {1, 0, 100}}));
  write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  const Calls calls = calls_of(lines_of(folder_.path() / "out" / "rank-000001.txt"));
  ASSERT_EQ(calls.size(), 10U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(calls[i].starts_with("irecv ")) << calls[i];
  EXPECT_EQ(Calls(calls.begin() + 4, calls.end()),
            (Calls{"wait 2->1", "wait 3->1", "isend 0", "waitall", "isend 0", "wait 1->0"}));
}

/// The second message of recursive doubling holds what came by the first.
TEST_F(Converted, AnAllreduceGoesStepByStep) {
  std::vector<InnerMessage> messages;
  for (const std::uint32_t far : {1U, 2U}) {
    for (std::uint32_t rank = 0; rank < 4; ++rank) messages.push_back({rank, rank ^ far, 8});
  }
  record(collective(Op::allreduce, 4, messages));
  write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  EXPECT_EQ(
      calls_of(lines_of(folder_.path() / "out" / "rank-000000.txt")),
      (Calls{"irecv 1", "irecv 2", "isend 1", "wait 0->1", "wait 1->0", "isend 2", "waitall"}));
  const ConversionReport goal =
      written("out.goal", [&](FdWriter& text) { return write_goal(*files_, text); });
  EXPECT_EQ(goal.left_out_messages, 0U);
}

std::size_t waits_of(const Calls& calls) {
  return static_cast<std::size_t>(std::ranges::count_if(
      calls, [](const std::string& call) { return call.starts_with("wait"); }));
}

/// Each rank sends `bytes` to those so far away: how often rank 0 waits.
TEST_F(Converted, AlltoallsGoToAllAtOnceOrInSteps) {
  int outputs = 0;
  const auto waits = [&](Op op, std::uint32_t ranks, const std::vector<std::uint32_t>& away,
                         std::uint64_t bytes) {
    std::vector<InnerMessage> messages;
    for (const std::uint32_t far : away) {
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        messages.push_back({rank, (rank + far) % ranks, bytes});
      }
    }
    record(collective(op, ranks, messages));
    const auto out = folder_.path() / ("out" + std::to_string(++outputs));
    write_simgrid_traces(*files_, out, CollectivesAs::messages);
    return waits_of(calls_of(lines_of(out / "rank-000000.txt")));
  };
  EXPECT_EQ(waits(Op::alltoall, 3, {1, 2}, 8), 1U);
  EXPECT_EQ(waits(Op::alltoall, 4, {1, 2, 3}, 65536), 1U);
  EXPECT_GT(waits(Op::alltoall, 4, {1, 2}, 16), 1U);  // Bruck's
  EXPECT_EQ(waits(Op::alltoallv, 4, {1, 2, 3}, 65536), 1U);
  EXPECT_GT(waits(Op::alltoallv, 3, {1, 2}, 65536), 1U);  // in pairs
}

TEST_F(Converted, OneWayIsWhatDoesNotComeBack) {
  const auto is_one_way = [&](Op op, const std::vector<InnerMessage>& messages) {
    const std::vector<RankTimeline> ranks = collective(op, 4, messages);
    record(ranks);
    const MessagePlan plan(*files_);
    return plan.is_one_way(ranks[0].communicators[0].identity, 0);
  };
  EXPECT_TRUE(is_one_way(Op::bcast, {{0, 1, 9}, {1, 2, 9}, {2, 3, 9}}));
  EXPECT_TRUE(is_one_way(Op::bcast, {{0, 1, 9}, {0, 2, 9}, {1, 3, 9}, {2, 3, 9}}));
  EXPECT_TRUE(is_one_way(Op::reduce, {{3, 2, 9}, {1, 0, 9}, {2, 0, 9}}));
  EXPECT_FALSE(is_one_way(Op::bcast, {{0, 1, 9}, {1, 2, 9}, {2, 3, 9}, {3, 0, 9}}));
  EXPECT_FALSE(is_one_way(Op::reduce, {{3, 2, 9}, {2, 3, 9}}));
  EXPECT_FALSE(is_one_way(Op::bcast, {{0, 3, 9}, {1, 2, 9}, {2, 1, 9}}));
}

TEST_F(Converted, ThreadsBecomeOneProcess) {
  std::vector<RankTimeline> ranks = mixture(6, 3);
  const std::vector<RankTimeline> others = ring(6, 50);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ranks[i].threads.push_back(others[i].threads[0]);
    ranks[i].threads[1].program.rules[0].items.pop_back();  // the barrier
  }
  record(ranks);
  const ConversionReport report =
      write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  EXPECT_EQ(report.threaded_ranks, 6U);
  EXPECT_EQ(report.left_out_messages, 0U);
  EXPECT_EQ(cells_of(check_simgrid(folder_.path() / "out", 6)), traffic_of_all(ranks));
}

TEST_F(Converted, WhatHasNoOtherEndIsLeftOut) {
  std::vector<RankTimeline> ranks = mixture(6, 5);
  ranks.pop_back();  // it left no timeline
  record(ranks);
  const ConversionReport report =
      write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  EXPECT_EQ(report.missing_ranks, 1U);
  EXPECT_GT(report.left_out_messages, 0U);
  check_simgrid(folder_.path() / "out", 6);
}

/// Messages of a window are told from others by nothing: only the beginning is replayed.
TEST_F(Converted, ReplaysEndAtTheFirstOmission) {
  constexpr int messages = 20;
  std::vector<RankTimeline> ranks;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    StreamMaker maker;
    for (int i = 0; i < messages; ++i) {
      const bool is_left_out = rank == 1 && i >= 5 && i < 8;
      const auto bytes = static_cast<std::uint64_t>(100 + i);
      if (rank == 0) maker.add(event_of(Op::send, 1, bytes));
      if (rank == 1 && !is_left_out) maker.add(event_of(Op::recv, -1));
    }
    ranks.push_back(rank_of(rank, 2));
    ranks.back().threads.push_back(maker.take());
  }
  ThreadStream& receives = ranks[1].threads[0];
  receives.events = messages;
  receives.omissions = {{5, 3, 0, 0.25}};
  record(ranks);
  const ConversionReport report =
      write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  EXPECT_EQ(report.omitted_events, 15U);
  const auto receives_in = [&](const char* name) {
    const auto lines = lines_of(folder_.path() / name);
    return std::count_if(lines.begin(), lines.end(), [](const std::vector<std::string>& words) {
      return words.size() > 1 && words[1] == "recv";
    });
  };
  EXPECT_EQ(receives_in("out/rank-000001.txt"), 5);
  // What nobody receives any more is not sent either: the replay would wait for ever.
  check_simgrid(folder_.path() / "out", 2);
  EXPECT_EQ(report.left_out_messages, 15U);
  const ConversionReport goal =
      written("out.goal", [&](FdWriter& text) { return write_goal(*files_, text); });
  EXPECT_EQ(goal.left_out_messages, 15U);
  int ends = 0;
  for (const auto& words : lines_of(folder_.path() / "out.goal")) {
    if (words.size() > 1 && (words[1] == "send" || words[1] == "recv")) ++ends;
  }
  EXPECT_EQ(ends, 2 * 5);
}

/// The message behind it is the next receive's.
TEST_F(Converted, ACancelledReceiveReceivesNothing) {
  const std::vector<std::int64_t> nothing{0, 0, no_peer, cancelled_tag};
  Event wild = event_of(Op::irecv);
  wild.flags = any_source | any_tag;
  StreamMaker receives;
  receives.add(event_of(Op::irecv, 1, 0, 7)).add(event_of(Op::wait), nothing);
  receives.add(wild).add(event_of(Op::test), nothing);
  receives.add(event_of(Op::irecv, 1, 0, 7)).add(event_of(Op::recv, 1, 0, 8));
  receives.add(event_of(Op::wait), newest_requests(1));
  StreamMaker sends;
  sends.add(event_of(Op::send, -1, 100, 7)).add(event_of(Op::send, -1, 200, 8));
  std::vector<RankTimeline> ranks{rank_of(0, 2), rank_of(1, 2)};
  ranks[0].threads.push_back(receives.take());
  ranks[1].threads.push_back(sends.take());
  record(ranks);
  const ConversionReport report =
      write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  EXPECT_EQ(report.left_out_messages, 0U);
  EXPECT_EQ(check_simgrid(folder_.path() / "out", 2).size(), 2U);
  const Calls calls = calls_of(lines_of(folder_.path() / "out" / "rank-000000.txt"));
  EXPECT_EQ(calls, (Calls{"irecv 1", "wait 1->0"}));
}

TEST_F(Converted, SimgridsOwnCollectives) {
  record(ring(3, 2));
  write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::native);
  const auto lines = lines_of(folder_.path() / "out" / "rank-000001.txt");
  // Behind it what the rank computes until its end.
  EXPECT_EQ(lines[lines.size() - 3], (std::vector<std::string>{"1", "barrier"}));
}

TEST_F(Converted, AnExistingFolderIsRefused) {
  record(ring(3, 2));
  fs::create_directory(folder_.path() / "out");
  EXPECT_THROW(write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages),
               Error);
}

TEST_F(Converted, GoalRequiresWhatWasWaitedFor) {
  record(ring(2, 1));
  written("out.goal", [&](FdWriter& text) { return write_goal(*files_, text); });
  std::string text;
  for (const auto& words : lines_of(folder_.path() / "out.goal")) {
    if (words.size() > 1 && words[1] == "calc" && words[2] != "0") continue;
    for (const std::string& word : words) text += word + " ";
    text += "\n";
  }
  EXPECT_NE(text.find("num_ranks 2 \n\nrank 0 { \n"), std::string::npos) << text;
  EXPECT_NE(text.find("recv 800b from 1 tag 0"), std::string::npos) << text;
  EXPECT_NE(text.find("send 800b to 1 tag 0"), std::string::npos) << text;
  EXPECT_NE(text.find("send 0b to 1 tag 1"), std::string::npos) << text;
}

TEST_F(Converted, GoalComputesUntilTheEnd) {
  std::vector<RankTimeline> ranks = ring(2, 1);
  for (RankTimeline& rank : ranks) rank.run_seconds = rank.threads[0].end + 1.5;
  record(ranks);
  written("out.goal", [&](FdWriter& text) { return write_goal(*files_, text); });
  int last = 0;
  std::vector<std::vector<std::string>> lines = lines_of(folder_.path() / "out.goal");
  for (const auto& words : lines) {
    if (words.size() == 3 && words[1] == "calc" && words[2] == "1500000000") ++last;
  }
  EXPECT_EQ(last, 2);
}

struct ArrowLine {
  std::string kind;
  int id = 0;
  std::uint32_t rank = 0;
};

std::vector<ArrowLine> arrows_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<ArrowLine> arrows;
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"cat\":\"message\"") == std::string::npos) continue;
    const auto number = [&](const std::string& key) {
      return std::stoul(line.substr(line.find("\"" + key + "\":") + key.size() + 3));
    };
    arrows.push_back({line.substr(line.find("\"ph\":\"") + 6, 1), static_cast<int>(number("id")),
                      static_cast<std::uint32_t>(number("pid"))});
  }
  return arrows;
}

std::uint64_t messages_of(const std::vector<RankTimeline>& ranks) {
  std::uint64_t sent = 0;
  for (const RankTimeline& rank : ranks) {
    for (const ThreadStream& stream : rank.threads) {
      for_each_event(stream, [&](const Step& step) { sent += is_send(step.event->op) ? 1 : 0; });
    }
  }
  return sent;
}

TEST_F(Converted, ChromeTraceHasAnArrowForEachMessage) {
  for (const std::vector<RankTimeline>& ranks : {ring(4, 3), stencil(2, 3, 4), mixture(5, 9)}) {
    record(ranks);
    const ChromeTraceReport report = chrome("w.json", {});
    EXPECT_EQ(report.arrows, messages_of(ranks));
    const std::vector<ArrowLine> arrows = arrows_of(folder_.path() / "w.json");
    ASSERT_EQ(arrows.size(), 2 * report.arrows);
    for (std::size_t i = 0; i < arrows.size(); i += 2) {
      EXPECT_EQ(arrows[i].kind + arrows[i + 1].kind, "sf");
      EXPECT_EQ(arrows[i].id, arrows[i + 1].id);
    }
  }
}

TEST_F(Converted, ArrowsGoFromTheSenderToTheRankThatWaits) {
  StreamMaker sends;
  sends.add(event_of(Op::send, 1, 100, 7)).add(event_of(Op::barrier), 10);
  StreamMaker receives;
  receives.add(event_of(Op::irecv, -1, 0, 7)).add(event_of(Op::barrier), 10);
  receives.add(event_of(Op::wait), newest_requests(1));
  std::vector<RankTimeline> ranks{rank_of(0, 2), rank_of(1, 2)};
  ranks[0].threads.push_back(sends.take());
  ranks[1].threads.push_back(receives.take());
  record(ranks);
  chrome("w.json", {});
  const std::vector<ArrowLine> arrows = arrows_of(folder_.path() / "w.json");
  ASSERT_EQ(arrows.size(), 2U);
  EXPECT_EQ(arrows[0].rank, 0U);
  EXPECT_EQ(arrows[1].rank, 1U);
  ChromeTraceOptions few;  // the wait is not shown: an arrow would end nowhere
  few.most_slices = 10;
  EXPECT_EQ(chrome("c.json", few).arrows, 0U);
}

TEST_F(Converted, SoManyOperationsThatNoMessageIsFollowed) {
  record(ring(2, std::uint64_t{1} << 32U));
  ChromeTraceOptions few;
  few.most_slices = 100;
  const ChromeTraceReport report = chrome("w.json", few);
  EXPECT_FALSE(report.follows_messages);
  EXPECT_EQ(report.slices, 200U);
}

TEST_F(Converted, ChromeTraceOfATimeAndOfAFewSlices) {
  record(stencil(2, 2, 100));
  const ChromeTraceReport whole = chrome("w.json", {});
  EXPECT_EQ(whole.cut_ranks, 0U);
  EXPECT_EQ(whole.slices, 2U * 4U * (1 + 100 * (3 * 9 + 1)));
  ChromeTraceOptions few;
  few.most_slices = 40;
  const ChromeTraceReport cut = chrome("c.json", few);
  EXPECT_EQ(cut.cut_ranks, 4U);
  EXPECT_EQ(cut.slices, 80U);
  ChromeTraceOptions late;
  late.from = 0.2505;
  late.to = 0.2510;
  const ChromeTraceReport part = chrome("p.json", late);
  EXPECT_GT(part.slices, 0U);
  EXPECT_LT(part.slices, whole.slices);
}

TEST_F(Converted, ChromeTraceShowsAPhaseWhereItWas) {
  StreamMaker maker;
  maker.add(event_of(Op::barrier), 1000).add(event_of(Op::phase, no_peer, 0, 2));
  maker.add(event_of(Op::barrier), 1000).add(event_of(Op::phase, no_peer, 0, 1));
  maker.add(event_of(Op::barrier), 1000);  // after the last end of a phase: in none
  RankTimeline rank = stencil(1, 1, 1).front();
  rank.threads.clear();
  rank.threads.push_back(maker.take());
  record({rank});
  chrome("w.json", {});
  std::vector<std::string> seen;
  for (const std::vector<std::string>& words : lines_of(folder_.path() / "w.json")) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i].ends_with("\"phase")) seen.push_back(words[i + 1].substr(0, 1));
    }
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"2", "1"}));
}

TEST_F(Converted, SimgridTakesNoFolderThatIsThere) {
  record(ring(3, 4));
  fs::create_directory(folder_.path() / "out.part");
  const mode_t before = ::umask(027);
  write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages);
  ::umask(before);
  EXPECT_TRUE(fs::exists(folder_.path() / "out.part"));
  EXPECT_EQ(fs::status(folder_.path() / "out").permissions(), fs::perms{0750});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 3);
}

TEST_F(Converted, LoopsThatNoDiskHasRoomForAreRefused) {
  record(ring(2, std::uint64_t{1} << 32U));
  EXPECT_THROW(write_simgrid_traces(*files_, folder_.path() / "out", CollectivesAs::messages),
               Error);
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
  written("out.goal", [&](FdWriter& text) {
    EXPECT_THROW(write_goal(*files_, text), Error);
    return 0;
  });
}

}  // namespace
}  // namespace kith::timeline
