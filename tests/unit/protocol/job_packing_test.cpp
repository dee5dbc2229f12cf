#include "protocol/job_packing.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kith {
namespace {

JobDescription example() {
  JobDescription job;
  job.hosts = {{"a", 0}, {"b", 1}};
  job.hardware = {{"d0", "<topology/>"}, {"d1", ""}};
  job.hosts[0].switches = {"p0", "s0"};
  job.hosts[1].switches = {"p0", "s1"};
  job.network = {"a.net", {{"network", 9, 1.5, 2.5}, {"pod"}, {"switch"}}, {{"host", 3}}};
  job.processes = {{1, 0, {0, 1, 2}}, {0, 1, {}}, {2, 1, {7, 9, 4000000000}}};
  return job;
}

TEST(JobPackingTest, ComesBackWhole) {
  const JobDescription job = unpack_job(pack_job(example()));
  ASSERT_EQ(job.hosts.size(), 2U);
  EXPECT_EQ(job.hosts[1].name, "b");
  EXPECT_EQ(job.hosts[1].hardware, 1U);
  EXPECT_EQ(job.hardware[0].xml, "<topology/>");
  EXPECT_EQ(job.processes[0].rank, 1U);
  EXPECT_EQ(job.processes[0].cpus, (CpuSet{0, 1, 2}));
  EXPECT_TRUE(job.processes[1].cpus.empty());
  EXPECT_EQ(job.processes[2].cpus, (CpuSet{7, 9, 4000000000}));
  EXPECT_EQ(job.hosts[1].switches, (std::vector<std::string>{"p0", "s1"}));
  EXPECT_EQ(job.network.source, "a.net");
  ASSERT_EQ(job.network.levels.size(), 3U);
  EXPECT_EQ(job.network.levels[0].cost, 9U);
  EXPECT_EQ(job.network.levels[0].latency_us, 1.5);
  EXPECT_EQ(job.network.levels[0].megabytes_per_s, 2.5);
  EXPECT_EQ(job.network.levels[2].level, "switch");
  EXPECT_EQ(job.network.host_levels[0].cost, 3U);
}

TEST(JobPackingTest, NoticesWhatIsCut) {
  const std::string whole = pack_job(example());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(unpack_job(std::string_view(whole).substr(0, length)), std::runtime_error);
  }
}

TEST(CpuSetTest, KeepsRanges) {
  const CpuSet cpus{0, 1, 2, 8};
  EXPECT_EQ(cpus.ranges().size(), 2U);
  EXPECT_EQ(cpus.size(), 4U);
  EXPECT_TRUE(cpus.contains({1, 2, 8}));
  EXPECT_TRUE(cpus.contains({}));
  EXPECT_FALSE(cpus.contains({2, 3}));
  EXPECT_FALSE(cpus.contains({9}));
  EXPECT_EQ(united({0, 1, 6}, {1, 2, 7}), (CpuSet{0, 1, 2, 6, 7}));
  EXPECT_EQ(united({}, {3}), CpuSet{3});
  EXPECT_LT((CpuSet{0}), (CpuSet{1}));
}

}  // namespace
}  // namespace kith
