#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "kith/detail/tree_machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "unit/corpus.hpp"
#include "unit/machine/refusal.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const Machine& machine) {
  std::vector<std::string> out;
  for (const Level& level : machine.as_tree()->levels()) out.push_back(level.name);
  return out;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("kith_hwloc_" + std::to_string(std::random_device{}()) + ".xml")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string spec() const { return "hwloc:" + path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(HwlocSource, ReadsSyntheticMachines) {
  const auto machine = parse_machine("hwloc:package:2 l3:2 l2:1 core:4 pu:2");
  EXPECT_EQ(machine->kind(), "hwloc");
  EXPECT_EQ(machine->slots(), 16U);
  EXPECT_EQ(machine->pus(), 32U);
  EXPECT_EQ(machine->nodes(), 1U);
  EXPECT_THAT(names(*machine), ElementsAre("host", "package", "l3"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(3)), 2U);
  EXPECT_EQ(machine->hops(Slot(3), Slot(4)), 4U);
  EXPECT_EQ(machine->hops(Slot(7), Slot(8)), 6U);
  const auto pus = parse_machine("hwloc:package:2 l3:2 l2:1 core:4 pu:2", nullptr, "--topology",
                                 Granularity::pu);
  EXPECT_EQ(pus->slots(), 32U);
  EXPECT_THAT(names(*pus), ElementsAre("host", "package", "l3", "core"));
}

TEST(HwlocSource, TakesProcessingUnitsWhereThereAreNoCores) {
  const auto machine = parse_machine("hwloc:numa:2 pu:3");
  EXPECT_EQ(machine->slots(), 6U);
  EXPECT_THAT(names(*machine), ElementsAre("host", "numa"));
}

TEST(HwlocSource, RefusesWhatIsNoMachine) {
  EXPECT_THAT(refusal("hwloc:"), HasSubstr("synthetic"));
  EXPECT_THAT(refusal("hwloc:banana"), HasSubstr("\"banana\""));
  EXPECT_THAT(refusal("hwloc:pu:4000000000"), HasSubstr("at most"));
  EXPECT_THAT(refusal("hwloc:package:100000 core:100000 pu:4"), HasSubstr("at most"));
  EXPECT_THAT(refusal("hwloc:core:257"), HasSubstr("at most"));  // hwloc is slow at wide objects
  EXPECT_THAT(refusal("hwloc:no/such/file"), HasSubstr("no/such/file"));
  EXPECT_THAT(refusal("hwloc:no-such.xml"), HasSubstr("no-such.xml"));
  EXPECT_THAT(refusal("hwloc:/tmp"), HasSubstr("readable"));
  EXPECT_THAT(refusal(TemporaryFile("").spec()), HasSubstr("an empty file"));
  EXPECT_THAT(refusal(TemporaryFile("1 2 3\n").spec()), HasSubstr("another kind of text"));
  EXPECT_THAT(refusal(TemporaryFile("<topology version=\"2.0\">\n <object type=\"Mach").spec()),
              HasSubstr("newer hwloc?"));
  EXPECT_THAT(refusal(TemporaryFile("<topology version=\"3.0\">\n<object type=\"Machine\"/>\n"
                                    "</topology>\n")
                          .spec()),
              HasSubstr("written by a newer hwloc"));
  // hwloc's reader by libxml2 crashes on this one.
  EXPECT_THAT(refusal(TemporaryFile("<!DOCTYPE topology><topology version=\"2.0\">"
                                    "<object type=\"Machine\"/></topology>")
                          .spec()),
              HasSubstr("hwloc XML"));
}

// Real machines of all shapes: each must give as many slots as hwloc counts cores (or processing
// units), in a tree whose leaves they are.
TEST(HwlocSource, ReadsRealMachines) {
  std::size_t machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "hwloc")) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().filename());
    const auto text = read_text_file(entry.path().string(), max_xml_bytes, "test");
    const auto topology = load_xml(text, "test");
    const int cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE);
    const int pus = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU);
    const auto machine = parse_machine("hwloc:" + entry.path().string());
    ++machines;
    EXPECT_EQ(machine->slots(), static_cast<std::uint32_t>(cores > 0 ? cores : pus));
    EXPECT_EQ(machine->pus(), static_cast<std::uint64_t>(pus));
    const TreeMachine& tree = *machine->as_tree();
    // Each level distinguishes slots: more objects than the one above, fewer than slots.
    for (unsigned l = 1; l < tree.depth(); ++l) {
      EXPECT_GT(tree.objects(l), tree.objects(l - 1));
      EXPECT_LT(tree.objects(l), tree.slots());
    }
    // Slots stand left to right, as hwloc numbers them, and two of them meet where hwloc says.
    const auto type = cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    for (std::uint32_t a = 0; a + 1 < tree.slots(); ++a) {
      EXPECT_EQ(tree.leaf_of_slot(Slot(a)), a);
      for (std::uint32_t b = a + 2; b < tree.slots(); b += 3) {
        hwloc_obj_t x = hwloc_get_obj_by_type(topology.get(), type, a);
        hwloc_obj_t y = hwloc_get_obj_by_type(topology.get(), type, a + 1);
        hwloc_obj_t z = hwloc_get_obj_by_type(topology.get(), type, b);
        const auto* near = hwloc_get_common_ancestor_obj(topology.get(), x, y);
        const auto* far = hwloc_get_common_ancestor_obj(topology.get(), x, z);
        const bool nearer = hwloc_bitmap_isincluded(near->cpuset, far->cpuset) != 0 &&
                            hwloc_bitmap_isequal(near->cpuset, far->cpuset) == 0;
        EXPECT_EQ(tree.hops(Slot(a), Slot(a + 1)) < tree.hops(Slot(a), Slot(b)), nearer);
      }
    }
  }
  EXPECT_GE(machines, 30U);
}

TEST(HwlocSource, LeavesTheEnvironmentAsItWas) {
  setenv("HWLOC_HIDE_ERRORS", "1", 1);
  unsetenv("HWLOC_LIBXML");
  const TemporaryFile file(xml_text(load_synthetic("core:2 pu:1", "here").get()));
  EXPECT_EQ(parse_machine(file.spec())->slots(), 2U);
  EXPECT_STREQ(std::getenv("HWLOC_HIDE_ERRORS"), "1");
  EXPECT_EQ(std::getenv("HWLOC_LIBXML"), nullptr);
  unsetenv("HWLOC_HIDE_ERRORS");
}

TEST(HwlocSource, ReadsThisMachine) {
  const auto machine = parse_machine("this");
  EXPECT_EQ(machine->kind(), "this");
  EXPECT_GE(machine->slots(), 1U);
  EXPECT_GE(machine->pus(), machine->slots());
  EXPECT_EQ(machine->as_tree()->levels()[0].name, "host");
}

}  // namespace
}  // namespace kith
