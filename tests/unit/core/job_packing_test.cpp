#include "core/job_packing.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kith {
namespace {

JobDescription example() {
  JobDescription job;
  job.hosts = {{"a", 0}, {"b", 1}};
  job.hardware = {{"d0", "<topology/>"}, {"d1", ""}};
  job.processes = {{1, 0, {0, 1, 2}}, {0, 1, {}}};
  return job;
}

TEST(JobPackingTest, ComesBackWhole) {
  const JobDescription job = unpack_job(pack_job(example()));
  ASSERT_EQ(job.hosts.size(), 2U);
  EXPECT_EQ(job.hosts[1].name, "b");
  EXPECT_EQ(job.hosts[1].hardware, 1U);
  EXPECT_EQ(job.hardware[0].xml, "<topology/>");
  EXPECT_EQ(job.processes[0].rank, 1U);
  EXPECT_EQ(job.processes[0].cpus, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(job.processes[1].cpus.empty());
}

TEST(JobPackingTest, NoticesWhatIsCut) {
  const std::string whole = pack_job(example());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(unpack_job(std::string_view(whole).substr(0, length)), std::runtime_error);
  }
}

}  // namespace
}  // namespace kith
