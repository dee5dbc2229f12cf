#include "job/host_survey.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>

namespace kith::preload {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

MemberReport member(std::uint32_t comm_rank, std::uint32_t rank, CpuSet cpus) {
  MemberReport report{comm_rank, {}};
  report.process.rank = rank;
  report.process.cpus = std::move(cpus);
  return report;
}

std::string report(const std::string& name, const std::string& kernel, const std::string& digest,
                   std::vector<MemberReport> members) {
  HostReport host{name, kernel, digest, "", "", {}};
  for (const MemberReport& one : members) host.members.push_back(pack(one));
  return pack(host);
}

TEST(HostSurveyTest, PutsRanksInOrderWhereverTheyAre) {
  HostSurvey survey(4);
  survey.add(report("a", "k0", "d0", {member(0, 3, {0, 1}), member(2, 1, {5})}));
  survey.add(report("b", "k1", "d1", {member(3, 0, {}), member(1, 2, {0})}));
  survey.set_xml(0, "<a/>");
  survey.set_xml(1, "<b/>");
  const JobDescription job = survey.take();
  ASSERT_THAT(job.processes, SizeIs(4));
  EXPECT_EQ(job.processes[0].rank, 3U);
  EXPECT_EQ(job.processes[0].cpus, (CpuSet{0, 1}));
  EXPECT_EQ(job.processes[1].host, 1U);
  EXPECT_EQ(job.processes[2].cpus, CpuSet{5});
  EXPECT_TRUE(job.processes[3].cpus.empty());
  EXPECT_EQ(job.hosts[1].name, "b");
  EXPECT_EQ(job.hardware[job.hosts[1].hardware].xml, "<b/>");
}

TEST(HostSurveyTest, ThreadsAndDevicesArrive) {
  HostSurvey survey(3);
  MemberReport gpus = member(0, 0, {1});
  gpus.process.threads = 7;
  gpus.process.gpus = "2,3";
  gpus.process.gpu_cpus = {8, 9};
  MemberReport threads = member(1, 1, {1});
  threads.process.threads = 1U << 20U;
  MemberReport nics = member(2, 2, {1});
  nics.process.nics = "mlx5_0:1";
  nics.process.nic_cpus = {4};
  nics.process.near_nics = "mlx5_1";
  survey.add(report("a", "k0", "", {gpus, threads, nics}));
  const JobDescription job = survey.take();
  EXPECT_EQ(job.processes[2].nics, "mlx5_0:1");
  EXPECT_EQ(job.processes[2].nic_cpus, CpuSet{4});
  EXPECT_EQ(job.processes[2].near_nics, "mlx5_1");
  EXPECT_EQ(job.processes[0].threads, 7U);
  EXPECT_EQ(job.processes[0].gpus, "2,3");
  EXPECT_EQ(job.processes[0].gpu_cpus, (CpuSet{8, 9}));
  EXPECT_EQ(job.processes[1].threads, 1U << 20U);
  EXPECT_TRUE(job.processes[1].gpus.empty() && job.processes[1].gpu_cpus.empty());
}

TEST(HostSurveyTest, OfEqualHardwareOneIsAsked) {
  HostSurvey survey(5);
  survey.add(report("a", "0", "same", {member(0, 0, {})}));
  survey.add(report("b", "1", "same", {member(1, 1, {})}));
  survey.add(report("c", "2", "", {member(2, 2, {})}));
  survey.add(report("d", "3", "other", {member(3, 3, {})}));
  survey.add(report("e", "4", "same", {member(4, 4, {})}));
  EXPECT_THAT(survey.whom_to_ask(), ElementsAre(0, 3));
  survey.set_xml(0, "<same/>");
  survey.set_xml(1, "<other/>");
  const JobDescription job = survey.take();
  EXPECT_THAT(job.hardware, SizeIs(3));
  EXPECT_EQ(job.hardware[job.hosts[4].hardware].xml, "<same/>");
  EXPECT_EQ(job.hardware[job.hosts[2].hardware].xml, "");
  EXPECT_EQ(job.hardware[job.hosts[3].hardware].xml, "<other/>");
}

TEST(HostSurveyTest, HostsAreToldApartByMoreThanTheirNames) {
  HostSurvey survey(5);
  survey.add(report("node", "k0", "d", {member(0, 0, {})}));
  survey.add(report("node", "k1", "d", {member(1, 1, {})}));  // another machine of that name
  survey.add(report("node", "k0", "d", {member(2, 2, {})}));  // the first one, no shared memory
  survey.add(report("node", "k0", "e", {member(3, 3, {})}));  // there, but given other processors
  survey.add(report("pod", "k0", "d", {member(4, 4, {})}));   // a container there
  const JobDescription job = survey.take();
  std::vector<std::uint32_t> hosts;
  for (const JobProcess& process : job.processes) hosts.push_back(process.host);
  EXPECT_THAT(hosts, ElementsAre(0, 1, 0, 2, 3));
}

TEST(HostSurveyTest, WhereTheKernelIsUnknownEachReportIsAHost) {
  HostSurvey survey(2);
  survey.add(report("node", "", "d", {member(0, 0, {})}));
  survey.add(report("node", "", "d", {member(1, 1, {})}));
  EXPECT_THAT(survey.take().hosts, SizeIs(2));
}

TEST(HostSurveyTest, NoticesMissingRanksAndBrokenReports) {
  HostSurvey survey(2);
  const std::string whole = report("node", "", "d", {member(1, 1, {4, 5, 9})});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // A cut between two members reads like a report of fewer: then a rank is missing.
    try {
      survey.add(std::string_view(whole).substr(0, length));
    } catch (const std::exception&) {
    }
  }
  EXPECT_THROW(survey.take(), std::runtime_error);
  HostSurvey other(1);
  EXPECT_THROW(other.add(whole), std::exception) << "a rank that the job does not have";
}

TEST(HostSurveyTest, ARankCostsAFewBytesOnItsWay) {
  const std::uint32_t last = 640'000 - 1;
  EXPECT_LE(pack(member(last, last, {63, 127})).size(), 12U);
  CpuSet all;
  all.add(0, 255);
  EXPECT_LE(pack(member(last, last, all)).size(), 12U) << "unbound on a large host";
}

}  // namespace
}  // namespace kith::preload
