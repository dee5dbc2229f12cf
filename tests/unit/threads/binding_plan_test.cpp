#include "threads/binding_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "../corpus.hpp"
#include "../test_files.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith::threads {
namespace {

JobHardware synthetic(const std::string& text) {
  JobHardware hardware;
  hardware.xml = xml_text(load_synthetic(text, "test").get());
  return hardware;
}

CpuSet from_to(std::uint32_t first, std::uint32_t last) {
  CpuSet cpus;
  cpus.add(first, last);
  return cpus;
}

using Table = std::vector<std::vector<std::uint32_t>>;

Table table_of(const BindingPlan& plan) {
  Table table;
  for (const CpuSet& cpus : plan.cpus) {
    auto& row = table.emplace_back();
    for (const CpuSet::Range& range : cpus.ranges()) {
      for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) row.push_back(cpu);
    }
  }
  return table;
}

BindingOptions of(const std::string& policy, std::uint32_t threads, CpuSet cpus) {
  BindingOptions options;
  options.policy = policy;
  options.threads = threads;
  options.cpus = std::move(cpus);
  return options;
}

// Two packages of two cores with two processing units each.
const char* const two_by_two_by_two = "package:2 core:2 pu:2";

TEST(BindingPlan, Policies) {
  const JobHardware hardware = synthetic(two_by_two_by_two);
  const CpuSet all = from_to(0, 7);
  EXPECT_EQ(table_of(plan_binding(of("compact", 8, all), hardware)),
            (Table{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(table_of(plan_binding(of("scatter", 8, all), hardware)),
            (Table{{0}, {4}, {2}, {6}, {1}, {5}, {3}, {7}}));
  // Four threads: one a core; then what is left.
  EXPECT_EQ(table_of(plan_binding(of("balanced", 4, all), hardware)),
            (Table{{0}, {2}, {4}, {6}, {1}, {3}, {5}, {7}}));
  EXPECT_EQ(plan_binding(of("scatter", 8, all), hardware).policy, "scatter");
}

TEST(BindingPlan, WholeCores) {
  BindingOptions options = of("compact", 4, from_to(0, 7));
  options.granularity = Granularity::core;
  const JobHardware hardware = synthetic(two_by_two_by_two);
  EXPECT_EQ(table_of(plan_binding(options, hardware)), (Table{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  options.policy = "scatter";
  EXPECT_EQ(table_of(plan_binding(options, hardware)), (Table{{0, 1}, {4, 5}, {2, 3}, {6, 7}}));
  options.cpus = from_to(1, 4);
  options.policy = "compact";
  EXPECT_EQ(table_of(plan_binding(options, hardware)), (Table{{1}, {1}, {2, 3}, {4}}));
}

TEST(BindingPlan, SaysThatTheLauncherLeavesOneCore) {
  BindingOptions options = of("scatter", 2, from_to(2, 3));
  options.granularity = Granularity::core;
  const JobHardware hardware = synthetic(two_by_two_by_two);
  EXPECT_EQ(
      plan_binding(options, hardware).policy,
      "scatter (all 2 on the one core that this process has: the launcher binds it there, or the "
      "other ranks of the host have the others)");
  options.cpus = from_to(2, 5);
  EXPECT_EQ(plan_binding(options, hardware).policy, "scatter");
}

TEST(BindingPlan, MoreThreadsThanRoomGoRound) {
  const auto table =
      table_of(plan_binding(of("compact", 5, from_to(2, 3)), synthetic(two_by_two_by_two)));
  EXPECT_EQ(table.size(), 5U);
  EXPECT_LE(std::ranges::count(table, std::vector<std::uint32_t>{2}), 3);
  EXPECT_GE(std::ranges::count(table, std::vector<std::uint32_t>{2}), 2);
}

TEST(BindingPlan, RanksOfAHostDoNotFight) {
  BindingOptions options = of("compact", 2, from_to(0, 7));
  options.processes = 2;
  const JobHardware hardware = synthetic(two_by_two_by_two);
  EXPECT_EQ(table_of(plan_binding(options, hardware)), (Table{{0}, {1}, {2}, {3}}));
  options.position = 1;
  EXPECT_EQ(table_of(plan_binding(options, hardware)), (Table{{4}, {5}, {6}, {7}}));
}

TEST(BindingPlan, ByAMatrix) {
  // Threads i and i + 4 share; nobody else.
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 0; i < 4; ++i) {
    builder.add(Rank(i), Rank(i + 4), 100);
    builder.add(Rank(i + 4), Rank(i), 100);
  }
  const TempDirectory folder;
  const auto file = folder.path() / "shared.mtx";
  write_matrix(file, builder.build(), MatrixFormat::mtx);
  for (const char* policy : {"eagermap", "treematch", "choicemap", "kith"}) {
    BindingOptions options = of(policy, 0, from_to(0, 7));
    const JobHardware hardware = synthetic(two_by_two_by_two);
    EXPECT_THROW(plan_binding(options, hardware), Error) << policy;
    options.matrix = file.string();
    const auto table = table_of(plan_binding(options, hardware));
    ASSERT_EQ(table.size(), 8U) << policy;
    for (std::uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(table[i][0] / 2, table[i + 4][0] / 2) << policy << ", thread " << i;
    }
    options.threads = 8;
    EXPECT_EQ(plan_binding(options, hardware).policy, policy);
    options.threads = 12;
    EXPECT_EQ(plan_binding(options, hardware).policy,
              std::string(policy) + " (by a matrix of 8 threads, while 12 are expected to run)");
  }
}

TEST(BindingPlan, ByAFile) {
  const TempDirectory folder;
  const std::string file = folder.write("order.map", "0 7\n1 0\n2 3\n").string();
  const JobHardware hardware = synthetic(two_by_two_by_two);
  EXPECT_EQ(table_of(plan_binding(of(file, 0, from_to(0, 7)), hardware)),
            (Table{{7}, {0}, {3}, {1}, {2}, {4}, {5}, {6}}));
  EXPECT_THROW(plan_binding(of(file, 0, from_to(0, 6)), hardware), Error);
  EXPECT_THROW(
      plan_binding(of(folder.write("far.map", "0 8\n").string(), 0, from_to(0, 7)), hardware),
      Error);
  EXPECT_THROW(plan_binding(of(folder.path() / "absent.map", 0, from_to(0, 7)), hardware), Error);
}

TEST(BindingPlan, WhatIsUnknown) {
  EXPECT_THROW(plan_binding(of("compcat", 2, from_to(0, 7)), synthetic(two_by_two_by_two)), Error);
  EXPECT_THROW(plan_binding(of("compact", 2, from_to(0, 7)), JobHardware{}), Error);
  EXPECT_THROW(plan_binding(of("compact", 2, from_to(90, 91)), synthetic(two_by_two_by_two)),
               Error);
}

/// For each processing unit, the logical index of the object of this type that holds it; 0 if the
/// machine has no such object.
std::vector<int> place_of_pus(hwloc_topology* topology, const std::vector<std::uint32_t>& pus,
                              hwloc_obj_type_t type) {
  std::vector<int> places;
  for (const std::uint32_t pu : pus) {
    const hwloc_obj* object = hwloc_get_pu_obj_by_os_index(topology, pu);
    while (object != nullptr && object->type != type) object = object->parent;
    places.push_back(object == nullptr ? 0 : static_cast<int>(object->logical_index));
  }
  return places;
}

class OnMachines : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(OnMachines, ThreadsAreWhereThePolicySays) {
  const std::string name = GetParam().string();
  JobHardware hardware;
  hardware.xml = read_text_file(name, max_xml_bytes, name);
  const HwlocTopology topology = load_xml(hardware.xml, name);
  const CpuSet all = cpus_of(hwloc_get_root_obj(topology.get()));
  const auto count = static_cast<std::uint32_t>(all.size());
  for (const char* policy : {"compact", "scatter", "balanced"}) {
    const BindingPlan plan = plan_binding(of(policy, count, all), hardware);
    ASSERT_EQ(plan.cpus.size(), count);
    std::vector<std::uint32_t> pus;
    for (const CpuSet& cpus : plan.cpus) {
      ASSERT_EQ(cpus.size(), 1U);
      pus.push_back(cpus.ranges().front().first);
    }
    EXPECT_EQ(std::set<std::uint32_t>(pus.begin(), pus.end()).size(), count) << policy;
    const auto packages = place_of_pus(topology.get(), pus, HWLOC_OBJ_PACKAGE);
    const auto cores = place_of_pus(topology.get(), pus, HWLOC_OBJ_CORE);
    if (std::string(policy) == "scatter") continue;
    // All processing units, as hwloc counts them.
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(hwloc_get_pu_obj_by_os_index(topology.get(), pus[i])->logical_index, i) << policy;
    }
    EXPECT_TRUE(std::ranges::is_sorted(packages)) << policy;
    EXPECT_TRUE(std::ranges::is_sorted(cores)) << policy;
  }
  // As many threads as packages: scatter gives each one, compact fills the first.
  const int number = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PACKAGE);
  if (number < 2) return;
  const auto few = static_cast<std::uint32_t>(number);
  const auto packages_by = [&](const char* policy) {
    std::vector<std::uint32_t> pus;
    const BindingPlan plan = plan_binding(of(policy, few, all), hardware);
    for (std::uint32_t i = 0; i < few; ++i) pus.push_back(plan.cpus[i].ranges().front().first);
    const auto packages = place_of_pus(topology.get(), pus, HWLOC_OBJ_PACKAGE);
    return std::set<int>(packages.begin(), packages.end()).size();
  };
  if (hwloc_get_root_obj(topology.get())->symmetric_subtree != 0) {
    EXPECT_EQ(packages_by("scatter"), few);
    EXPECT_EQ(packages_by("balanced"), few);
  }
  EXPECT_LE(packages_by("compact"), packages_by("scatter"));
}

std::vector<std::filesystem::path> machines() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "hwloc")) {
    if (entry.path().extension() == ".xml") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Corpus, OnMachines, testing::ValuesIn(machines()),
                         [](const auto& machine) {
                           std::string name = machine.param.stem().string();
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace kith::threads
