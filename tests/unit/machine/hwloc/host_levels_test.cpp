#include "machine/hwloc/host_levels.hpp"

#include <gmock/gmock.h>
#include <hwloc.h>

#include <numeric>

#include "machine/hwloc/hwloc_topology.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using Cpus = std::vector<std::uint32_t>;

JobHardware hardware(const std::string& synthetic) {
  const auto topology = load_synthetic(synthetic, "test");
  char* xml = nullptr;
  int length = 0;
  EXPECT_EQ(hwloc_topology_export_xmlbuffer(topology.get(), &xml, &length, 0), 0);
  JobHardware made{"digest", xml};
  hwloc_free_xmlbuffer(topology.get(), xml);
  return made;
}

std::string name(const HostLevels& levels, const Cpus& a, const Cpus& b) {
  return levels.meeting(a, b).name;
}

TEST(HostLevels, WhereTwoProcessesMeet) {
  const HostLevels levels(hardware("package:2 l3:2 core:4 pu:2"));
  EXPECT_EQ(name(levels, {0}, {1}), "core");
  EXPECT_EQ(name(levels, {0}, {2}), "l3");
  EXPECT_EQ(name(levels, {0, 1}, {6, 7}), "l3");
  EXPECT_EQ(name(levels, {0}, {8}), "package");
  EXPECT_EQ(name(levels, {3}, {16}), "host");
  EXPECT_LT(levels.meeting(Cpus{0}, Cpus{8}).depth, levels.meeting(Cpus{0}, Cpus{2}).depth);
  EXPECT_EQ(levels.meeting(Cpus{0}, Cpus{16}).depth, 0);
  EXPECT_EQ(levels.cores(), 16);
}

TEST(HostLevels, TheUpperOfTwoLevelsThatDivideAlike) {
  const HostLevels levels(hardware("package:2 l3:1 l2:4 core:1 pu:1"));
  EXPECT_EQ(name(levels, {0}, {1}), "package");
  EXPECT_EQ(name(levels, {0}, {4}), "host");
  const HostLevels one_package(hardware("package:1 core:4 pu:1"));
  EXPECT_EQ(name(one_package, {0}, {1}), "host");
}

TEST(HostLevels, WhoMayRunAnywhereMeetsOthersAnywhere) {
  const HostLevels levels(hardware("package:2 core:2 pu:1"));
  Cpus all(4);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(name(levels, all, all), "host");
  EXPECT_EQ(name(levels, {0}, all), "host");
  EXPECT_EQ(name(levels, {0, 1}, {0, 1}), "package");
}

TEST(HostLevels, UnknownCpusAndUnknownHosts) {
  const HostLevels levels(hardware("package:2 core:2 pu:1"));
  EXPECT_EQ(name(levels, {}, {0}), "host");
  EXPECT_EQ(name(levels, {0}, {77, 4000000000U}), "host");
  const HostLevels unknown(JobHardware{});
  EXPECT_EQ(name(unknown, {0}, {1}), "host");
  EXPECT_EQ(unknown.cores(), 0);
  expect_error(
      [] {
        HostLevels(JobHardware{"d", "<nonsense/>"});
      },
      {"hardware d", "XML"}, ErrorKind::environment);
}

}  // namespace
}  // namespace kith
