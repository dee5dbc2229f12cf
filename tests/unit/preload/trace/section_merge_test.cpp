#include "trace/section_merge.hpp"

#include <fcntl.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "trace/trace_output.hpp"
#include "unit/test_files.hpp"

namespace kith::preload {
namespace {

using record::RowCell;
using testing::ElementsAre;
using testing::HasSubstr;

/// Leaders in this process. Checks that they are asked as the interface promises.
class Leaders : public RowHolders {
 public:
  explicit Leaders(std::vector<HostRows> hosts) : hosts_(std::move(hosts)) {}

  std::size_t count() const override { return hosts_.size(); }
  std::string announcement(std::size_t holder, std::size_t section) override {
    if (holder == silent_) return {};
    return pack_announcement(hosts_[holder].announce(section));
  }
  void tell(std::size_t, const BatchPlan& plan) override {
    plans_.push_back(unpack_plan(pack_plan(plan)));
    for (const RankRange& batch : plan) {
      for (const HostRows& host : hosts_) owed_ += host.has_any(batch) ? 1 : 0;
    }
  }
  std::string batch(std::size_t holder, std::size_t section, RankRange ranks) override {
    EXPECT_TRUE(hosts_[holder].has_any(ranks)) << "its sender would not send";
    --owed_;
    std::string rows = hosts_[holder].batch(section, ranks);
    return cut_ ? rows.substr(0, rows.size() - 1) : rows;
  }

  std::vector<HostRows> hosts_;
  std::vector<BatchPlan> plans_;
  std::size_t silent_ = SIZE_MAX;
  bool cut_ = false;
  int owed_ = 0;  ///< announced batches that nobody has taken: their senders wait
};

RankTraffic traffic_of(std::uint32_t rank, std::uint32_t ranks) {
  RankTraffic traffic;
  traffic.total.sent = {{rank, 1, {5, 0, 0}}, {(rank + 1) % ranks, 2, {100, 7, 0}}};
  std::ranges::sort(traffic.total.sent, {}, &RowCell::peer);
  traffic.load = {1'500'000'000, 20'000'000, rank == 0 ? 77 : record::Load::unknown,
                  2'000'000'000 + rank};
  traffic.sizes.classes[0].messages[record::size_bucket(100)] = 2;
  traffic.sizes.classes[2].bytes = 7;
  traffic.sizes.foreign_bytes = 3;
  traffic.sizes.foreign_messages = 1;
  return traffic;
}

/// Ranks dealt out to hosts in turn, as --map-by node does.
std::vector<HostRows> deal(std::vector<RankTraffic> ranks, std::size_t hosts,
                           const std::vector<std::string>& phases = {}) {
  std::vector<HostRows> out(hosts);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    out[rank % hosts].add(pack_rank(rank, divide(std::move(ranks[rank]), phases)));
  }
  return out;
}

class SectionMerge : public testing::Test {
 protected:
  std::string write(Leaders& leaders, std::uint32_t ranks, std::vector<std::string> phases = {},
                    std::uint64_t limit = batch_bytes) {
    TraceContent content;
    content.collectives = "model";
    content.phases = std::move(phases);
    content.job.hosts = {{"h", 0}};
    content.job.hardware = {{"", ""}};
    content.job.processes.resize(ranks);
    const std::size_t sections = 1 + content.phases.size();
    const auto stream = [&](SectionWriter& writer) {
      merge_sections(leaders, writer, ranks, sections, limit);
    };
    return write_trace((dir_ / "t.kith").string(), content, false, stream);
  }
  std::string text(const std::string& name) const { return content_of(dir_ / ("t.kith/" + name)); }
  bool nothing_left() const { return std::filesystem::is_empty(dir_.path()); }

  TempDirectory dir_;
};

TEST(BatchPlan, CutsConsecutiveRanksAtTheLimit) {
  const auto sizes = [](const BatchPlan& plan) {
    std::vector<std::uint32_t> out;
    std::uint32_t next = 0;
    for (const RankRange& batch : plan) {
      EXPECT_EQ(batch.first, next);
      next = batch.end;
      out.push_back(batch.end - batch.first);
    }
    return out;
  };
  EXPECT_THAT(sizes(plan_batches({4, 4, 4, 4, 4}, 8)), ElementsAre(2, 2, 1));
  EXPECT_THAT(sizes(plan_batches({1, 100, 1, 1}, 8)), ElementsAre(1, 1, 2)) << "a giant goes alone";
  EXPECT_THAT(sizes(plan_batches({0, 0, 0}, 8)), ElementsAre(3));
  EXPECT_THAT(sizes(plan_batches({}, 8)), ElementsAre());
}

TEST_F(SectionMerge, RowsComeInRankOrderWhoeverHoldsThem) {
  for (const auto& [limit, batches] :
       {std::pair(std::uint64_t{1}, 5U), std::pair(std::uint64_t{150}, 3U),
        std::pair(batch_bytes, 1U)}) {
    Leaders leaders(deal(
        {traffic_of(0, 5), traffic_of(1, 5), traffic_of(2, 5), traffic_of(3, 5), traffic_of(4, 5)},
        2));
    ASSERT_EQ(write(leaders, 5, {}, limit), "");
    EXPECT_EQ(leaders.owed_, 0);
    ASSERT_EQ(leaders.plans_.size(), 1U);
    EXPECT_EQ(leaders.plans_[0].size(), batches);
    EXPECT_THAT(text("bytes.mtx"), HasSubstr("5 5 10\n1 1 5\n1 2 107\n2 2 5\n2 3 107\n3 3 5\n"
                                             "3 4 107\n4 4 5\n4 5 107\n5 1 107\n5 5 5\n"));
    EXPECT_THAT(text("messages.mtx"), HasSubstr("5 5 10\n1 1 1\n1 2 2\n"));
    EXPECT_THAT(text("classes/coll.bytes.mtx"),
                HasSubstr("5 5 5\n1 2 7\n2 3 7\n3 4 7\n4 5 7\n5 1 7\n"));
    EXPECT_THAT(text("classes/rma.bytes.mtx"), HasSubstr("\n5 5 0\n"));
    std::filesystem::remove_all(dir_ / "t.kith");
  }
}

TEST_F(SectionMerge, LoadSizesAndTotals) {
  Leaders leaders(deal({traffic_of(0, 2), traffic_of(1, 2)}, 1));
  ASSERT_EQ(write(leaders, 2), "");
  EXPECT_EQ(text("load.csv"),
            "phase,rank,cpu_outside_s,cpu_inside_s,instructions,wall_s\n"
            "0,0,1.500000000,0.020000000,77,2.000000000\n"
            "0,1,1.500000000,0.020000000,,2.000000001\n");
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(text("meta.json"))["wall_seconds"], 2.000000001);
  EXPECT_EQ(text("sizes.csv"), "class,rank,at_most_bytes,messages\np2p,0,127,2\np2p,1,127,2\n");
  EXPECT_EQ(nlohmann::json::parse(text("meta.json"))["totals"], nlohmann::json::parse(R"({
      "bytes": 224, "messages": 6, "p2p_bytes": 210, "coll_bytes": 14, "rma_bytes": 0,
      "neighbour_bytes": 14, "self_bytes": 10, "self_messages": 2,
      "foreign_bytes": 6, "foreign_messages": 2})"));
}

TEST_F(SectionMerge, PhasesMeetByName) {
  const auto phase = [](const char* name, std::uint32_t peer, std::uint64_t bytes) {
    return Phase{name, {{{peer, 1, {bytes, 0, 0}}}, {}}, {1'000, 2'000, 5, 7'000}};
  };
  RankTraffic a = traffic_of(0, 3);
  a.phases = {phase("solve", 1, 10), phase("io", 2, 3), phase("solve", 1, 5), phase("end", 1, 1)};
  RankTraffic b = traffic_of(1, 3);
  b.phases = {phase("io", 0, 4), phase("end", 2, 2)};
  Leaders leaders(deal({a, b, traffic_of(2, 3)}, 2, {"solve", "io", "end"}));
  ASSERT_EQ(write(leaders, 3, {"solve", "io", "end"}, 1), "");
  EXPECT_EQ(leaders.owed_, 0);
  EXPECT_THAT(text("phases/0001.bytes.mtx"), HasSubstr("3 3 1\n1 2 15\n"));
  EXPECT_THAT(text("phases/0002.bytes.mtx"), HasSubstr("3 3 2\n1 3 3\n2 1 4\n"));
  EXPECT_THAT(text("phases/0003.bytes.mtx"), HasSubstr("3 3 4\n1 2 1\n2 3 2\n3 1 107\n3 3 5\n"))
      << "a rank that closed no phase was in the last one all the time";
  EXPECT_THAT(text("load.csv"),
              HasSubstr("\n1,0,0.000002000,0.000004000,10,0.000014000\n1,1,0.000000000,"));
  const auto phases = nlohmann::json::parse(text("meta.json"))["phases"];
  EXPECT_DOUBLE_EQ(phases[0]["wall_seconds"], 14e-6) << "of the rank where it took longest";
  EXPECT_DOUBLE_EQ(phases[1]["wall_seconds"], 7e-6);
}

TEST(Divide, ARankThatClosedNothingIsInTheLastPhase) {
  const auto bytes_in = [](const std::vector<std::string>& phases) {
    std::vector<std::size_t> cells;
    for (const SectionRow& section : divide(traffic_of(1, 3), phases).sections) {
      cells.push_back(section.row.sent.size());
    }
    return cells;
  };
  EXPECT_THAT(bytes_in({}), ElementsAre(2));
  EXPECT_THAT(bytes_in({"start", "level 1"}), ElementsAre(2, 0, 2));
  EXPECT_THAT(bytes_in({"a", "end", "b"}), ElementsAre(2, 0, 2, 0));
}

TEST_F(SectionMerge, TroubleLeavesNobodyWaitingAndNothingBehind) {
  const auto hosts = [] { return deal({traffic_of(0, 3), traffic_of(1, 3), traffic_of(2, 3)}, 2); };
  Leaders short_of_memory(hosts());
  short_of_memory.silent_ = 1;
  EXPECT_THAT(write(short_of_memory, 3), HasSubstr("memory"));
  EXPECT_THAT(short_of_memory.plans_, ElementsAre(testing::IsEmpty()));
  Leaders cut(hosts());
  cut.cut_ = true;
  EXPECT_THAT(write(cut, 3, {}, 1), HasSubstr("cut short"));
  EXPECT_EQ(cut.owed_, 0);
  Leaders too_few(hosts());
  EXPECT_THAT(write(too_few, 4), HasSubstr("missing"));
  Leaders twice(hosts());
  twice.hosts_.push_back(twice.hosts_[0]);
  EXPECT_THAT(write(twice, 3), HasSubstr("two rows for one rank"));
  EXPECT_TRUE(nothing_left());
}

TEST_F(SectionMerge, AFolderThatCannotBeMadeStillServesTheHolders) {
  Leaders leaders(deal({traffic_of(0, 2), traffic_of(1, 2)}, 2));
  TraceContent content;
  content.job.hosts = {{"h", 0}};
  content.job.processes.resize(2);
  const auto stream = [&](SectionWriter& writer) { merge_sections(leaders, writer, 2, 1); };
  EXPECT_THAT(write_trace((dir_ / "absent/t.kith").string(), content, false, stream),
              HasSubstr("cannot write"));
  EXPECT_EQ(leaders.plans_.size(), 1U);
  EXPECT_EQ(leaders.owed_, 0);
}

}  // namespace
}  // namespace kith::preload
