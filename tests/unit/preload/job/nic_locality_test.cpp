#include "job/nic_locality.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace kith::preload {
namespace {

namespace fs = std::filesystem;

/// A folder as Linux lists devices by class.
class NicLocalityTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    forget();
    for (const char* const name : {"mlx5_0", "mlx5_1", "mlx5_2"}) {
      write(std::string("infiniband/") + name + "/ports/1/state", "4: ACTIVE");
    }
    write("infiniband/mlx5_0/device/local_cpulist", "0-15");
    write("infiniband/mlx5_1/device/local_cpulist", "16-31");
    write("infiniband/mlx5_2/device/local_cpulist", "16-31");
    write("infiniband/mlx5_2/ports/1/state", "1: DOWN");
    write("cxi/cxi0/device/local_cpulist", "16-31");
    write("cxi/cxi1/device/local_cpulist", "0-15");
    write("cxi/cxi1/device/net/hsi1/operstate", "up");
    write("infiniband/hfi1_0/device/local_cpulist", "0-15");
    write("net/eth0/device/local_cpulist", "0-15");
    write("net/eth1/device/local_cpulist", "16-31");
    write("net/eth1/operstate", "up");
    write("net/lo/operstate", "unknown");
  }
  void TearDown() override {
    forget();
    fs::remove_all(folder_);
  }

  static void forget() {
    for (const char* const name : {"UCX_NET_DEVICES", "FI_CXI_DEVICE_NAME", "MV2_IBA_HCA",
                                   "OMPI_MCA_btl_openib_if_include", "HFI_UNIT"}) {
      unsetenv(name);
    }
  }

  void write(const std::string& name, const std::string& line) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << line << '\n';
  }

  /// Of a process on CPUs `first` to first + 3.
  JobProcess found(const char* variable, const char* list, std::uint32_t first = 16) const {
    forget();
    setenv(variable, list, 1);
    JobProcess process;
    process.cpus.add(first, first + 3);
    find_nics(process, folder_.string());
    return process;
  }

  fs::path folder_;
};

CpuSet range(std::uint32_t first, std::uint32_t last) {
  CpuSet cpus;
  cpus.add(first, last);
  return cpus;
}

TEST_F(NicLocalityTest, TheDeviceThatTheEnvironmentNamesAndTheNearOnesThatWork) {
  const JobProcess process = found("UCX_NET_DEVICES", "mlx5_0:1");
  EXPECT_EQ(process.nics, "mlx5_0:1");
  EXPECT_EQ(process.nic_cpus, range(0, 15));
  EXPECT_EQ(process.near_nics, "mlx5_1") << "mlx5_2 is down";
  const JobProcess both = found("UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1");
  EXPECT_EQ(both.nic_cpus, range(0, 31));
  EXPECT_EQ(both.near_nics, "");
}

TEST_F(NicLocalityTest, OtherLibrariesAndOtherDevices) {
  EXPECT_EQ(found("FI_CXI_DEVICE_NAME", "cxi0", 0).near_nics, "cxi1");
  EXPECT_EQ(found("FI_CXI_DEVICE_NAME", "cxi1", 16).near_nics, "") << "cxi0 has no network";
  EXPECT_EQ(found("MV2_IBA_HCA", "mlx5_1", 0).near_nics, "mlx5_0");
  EXPECT_EQ(found("MV2_IBA_HCA", "mlx5_0:mlx5_1").nic_cpus, range(0, 31));
  EXPECT_EQ(found("OMPI_MCA_btl_openib_if_include", "mlx5_1:1", 0).near_nics, "mlx5_0");
  EXPECT_EQ(found("UCX_NET_DEVICES", "eth0").near_nics, "eth1");
  const JobProcess unit = found("HFI_UNIT", "0");
  EXPECT_EQ(unit.nics, "0");
  EXPECT_EQ(unit.nic_cpus, range(0, 15));
}

TEST_F(NicLocalityTest, WhatNamesNoDeviceSaysNothing) {
  for (const char* const list :
       {"", "all", "lo", "mlx5_9", "../mlx5_0", "mlx5_0/device", ",", "."}) {
    const JobProcess process = found("UCX_NET_DEVICES", list);
    EXPECT_TRUE(process.nics.empty() && process.nic_cpus.empty() && process.near_nics.empty())
        << list;
  }
  forget();
  JobProcess process;
  find_nics(process, folder_.string());
  EXPECT_TRUE(process.nics.empty());
}

}  // namespace
}  // namespace kith::preload
