#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "core/digest.hpp"
#include "core/this_process.hpp"
#include "kith/detail/job.hpp"
#include "kith/machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HostDiscovery, DescribesThisHostWithoutNamingIt) {
  const JobHardware hardware = discover_this_host({}).hardware;
  EXPECT_EQ(hardware.digest, Digest().add(hardware.xml).hex());
  EXPECT_THAT(hardware.xml, HasSubstr("<topology"));
  EXPECT_THAT(hardware.xml, Not(HasSubstr("<info")));
  EXPECT_THAT(hardware.xml, Not(HasSubstr("local_memory")));
  char name[256] = {};
  ASSERT_EQ(gethostname(name, sizeof name - 1), 0);
  EXPECT_THAT(hardware.xml, Not(HasSubstr(std::string("=\"").append(name))));
}

TEST(HostDiscovery, LosesNoCore) {
  const auto whole = load_this_system();
  const auto lean = load_xml(discover_this_host({}).hardware.xml, "test");
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE, HWLOC_OBJ_PU}) {
    EXPECT_EQ(hwloc_get_nbobjs_by_type(lean.get(), type),
              hwloc_get_nbobjs_by_type(whole.get(), type));
  }
}

// Whoever asked for one rank's CPUs sees whether the answer holds for others.
TEST(HostDiscovery, TellsWhichCpusItHas) {
  const CpuSet cpus = discover_this_host({}).cpus;
  EXPECT_TRUE(cpus.contains(allowed_cpus()));
  const auto whole = load_this_system();
  EXPECT_EQ(cpus.size(), static_cast<std::uint64_t>(
                             hwloc_bitmap_weight(hwloc_topology_get_topology_cpuset(whole.get()))));
}

// The helper that discovers inherits the binding of the rank that starts it.
TEST(HostDiscovery, IgnoresTheBindingOfTheProcess) {
  const std::string before = discover_this_host({}).hardware.digest;
  cpu_set_t old;
  ASSERT_EQ(sched_getaffinity(0, sizeof old, &old), 0);
  if (CPU_COUNT(&old) < 2) GTEST_SKIP() << "one processor only";
  int first = 0;
  while (CPU_ISSET(first, &old) == 0) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::string bound = discover_this_host({}).hardware.digest;
  sched_setaffinity(0, sizeof old, &old);
  EXPECT_EQ(bound, before);
}

}  // namespace
}  // namespace kith
