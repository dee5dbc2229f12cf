#include "job/gpu_locality.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace kith::preload {
namespace {

namespace fs = std::filesystem;

/// A folder as Linux lists the devices of the PCI bus.
class GpuLocalityTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    forget();
    // A management controller's display, an Ethernet card, and four GPUs on two sockets.
    add("0000:03:00.0", "0x030000", "0x1a03", "0-31");
    add("0000:05:00.0", "0x020000", "0x10de", "0-31");
    add("0000:47:00.0", "0x030200", "0x10de", "16-31");
    add("0000:0b:00.0", "0x030200", "0x10de", "0-7,64-71");
    add("0000:c1:00.0", "0x030200", "0x10de", "32-39,96-103");
    add("0000:c5:00.0", "0x030200", "0x10de", "40-47,104-111");
    add("0000:d1:00.0", "0x038000", "0x1002", "48-55");
  }
  void TearDown() override {
    forget();
    fs::remove_all(folder_);
  }

  static void forget() {
    for (const char* const name : {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                   "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"}) {
      unsetenv(name);
    }
  }

  void add(const std::string& address, const std::string& device_class, const std::string& vendor,
           const std::string& cpus) const {
    fs::create_directories(folder_ / address);
    std::ofstream(folder_ / address / "class") << device_class << '\n';
    std::ofstream(folder_ / address / "vendor") << vendor << '\n';
    std::ofstream(folder_ / address / "local_cpulist") << cpus << '\n';
  }

  JobProcess found(const char* variable, const char* list) const {
    setenv(variable, list, 1);
    JobProcess process;
    find_gpus(process, folder_.string());
    return process;
  }

  fs::path folder_;
};

CpuSet two_ranges(std::uint32_t first, std::uint32_t second) {
  CpuSet cpus;
  cpus.add(first, first + 7);
  cpus.add(second, second + 7);
  return cpus;
}

TEST_F(GpuLocalityTest, NumbersCountTheMakersGpusByAddress) {
  EXPECT_EQ(found("CUDA_VISIBLE_DEVICES", "0").gpu_cpus, two_ranges(0, 64));
  const JobProcess third = found("CUDA_VISIBLE_DEVICES", "2");
  EXPECT_EQ(third.gpus, "2");
  EXPECT_EQ(third.gpu_cpus, two_ranges(32, 96));
  EXPECT_EQ(found("CUDA_VISIBLE_DEVICES", "2,0").gpu_cpus,
            united(two_ranges(0, 64), two_ranges(32, 96)));
}

TEST_F(GpuLocalityTest, EachMakerHasItsVariable) {
  CpuSet expected;
  expected.add(48, 55);
  EXPECT_EQ(found("ROCR_VISIBLE_DEVICES", "0").gpu_cpus, expected);
  EXPECT_TRUE(found("ROCR_VISIBLE_DEVICES", "1").gpu_cpus.empty()) << "there is one";
}

TEST_F(GpuLocalityTest, WhatIsNoListOfNumbersSaysNothing) {
  for (const char* const list : {"GPU-8a2f", "MIG-1", "-1", "none", "0,x", ",", "99999999999"}) {
    const JobProcess nothing = found("CUDA_VISIBLE_DEVICES", list);
    EXPECT_TRUE(nothing.gpus.empty() && nothing.gpu_cpus.empty()) << list;
  }
  EXPECT_TRUE(found("CUDA_VISIBLE_DEVICES", "").gpus.empty());
  fs::remove_all(folder_);
  EXPECT_TRUE(found("CUDA_VISIBLE_DEVICES", "0").gpu_cpus.empty()) << "no such folder";
}

TEST_F(GpuLocalityTest, TilesCountAsTheirDevice) {
  add("0000:29:00.0", "0x038000", "0x8086", "0-55");
  add("0000:9a:00.0", "0x038000", "0x8086", "56-111");
  CpuSet expected;
  expected.add(56, 111);
  EXPECT_TRUE(found("ZE_AFFINITY_MASK", "1").gpus.empty()) << "tiles, as it is by default";
  setenv("ZE_FLAT_DEVICE_HIERARCHY", "COMPOSITE", 1);
  EXPECT_EQ(found("ZE_AFFINITY_MASK", "1.0").gpu_cpus, expected);
  unsetenv("ZE_FLAT_DEVICE_HIERARCHY");
}

}  // namespace
}  // namespace kith::preload
