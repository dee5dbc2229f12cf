// Machines as Scotch targets: Scotch loads them, and scotch: reads the same machine back.
#include <gmock/gmock.h>

#include "kith/detail/export.hpp"
#include "unit/machine/scotch_oracle.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Kept {
  bool numbers = true;  ///< slots have their numbers; else the i-th allowed is the i-th allowed
  bool hops = true;
};

std::string expect_same_machine(const std::string& spec, Kept kept) {
  SCOPED_TRACE(spec);
  const TempDirectory folder;
  const auto machine = parse_machine(spec);
  const std::string text = scotch_target_text(*machine);
  const auto again = parse_machine("scotch:" + folder.write("t.tgt", text).string());
  const SlotSet& slots = machine->allowed();
  EXPECT_EQ(ScotchOracle(text).size(), slots.size());
  EXPECT_EQ(again->allowed().size(), slots.size());
  if (again->allowed().size() != slots.size()) return text;
  for (std::uint64_t i = 0; i < slots.size(); ++i) {
    const Slot a = slots.at(i);
    const Slot a2 = again->allowed().at(i);
    EXPECT_TRUE(!kept.numbers || a == a2) << a2.value;
    for (std::uint64_t j = 0; j < slots.size(); ++j) {
      const Slot b = slots.at(j);
      const Slot b2 = again->allowed().at(j);
      EXPECT_EQ(machine->cost(a, b), again->cost(a2, b2)) << i << " " << j;
      EXPECT_TRUE(!kept.hops || machine->hops(a, b) == again->hops(a2, b2)) << i << " " << j;
    }
  }
  return text;
}

TEST(ScotchExport, SymmetricTreesBecomeTreesOfLinks) {
  EXPECT_THAT(expect_same_machine("tree:4x2x8@111,11,1", {}),
              StartsWith("tleaf\n3\n4 100\n2 10\n8 1\n"));
  EXPECT_THAT(expect_same_machine("tree:3x4", {}), StartsWith("tleaf\n2\n3 2\n4 2\n"));
  expect_same_machine("tree:3x2x2@2.5,1,0.5", {});
  expect_same_machine("fattree:3,3,2", {});
  expect_same_machine("tree:4x1x8@100,10,1", {.hops = false});
  expect_same_machine("tree:1", {.hops = false});
}

TEST(ScotchExport, ScotchMeasuresTheSameDistances) {
  for (const char* spec : {"tree:3x4x2@9,4,1", "torus:5x4", "torus:5x3x4", "torus:5x3x4x2",
                           "mesh:7", "mesh:5x4", "mesh:4x5x3", "mesh:4x3x5x4", "mesh:4x1x2x3x4",
                           "hypercube:5", "torus:3x3/2x2", "dragonfly:5,2,2"}) {
    SCOPED_TRACE(spec);
    const auto machine = parse_machine(spec);
    ScotchOracle oracle(scotch_target_text(*machine));
    ASSERT_EQ(oracle.size(), machine->slots());
    for (std::uint32_t a = 0; a < machine->slots(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        ASSERT_EQ(oracle.distance(static_cast<SCOTCH_Num>(a), static_cast<SCOTCH_Num>(b)),
                  machine->cost(Slot(a), Slot(b)))
            << a << " " << b;
      }
    }
  }
}

TEST(ScotchExport, PartsKeepTheirNumbers) {
  EXPECT_THAT(expect_same_machine("tree:3x5;slots=0-1,7,12-14", {}),
              StartsWith("sub 6\n0 1\n7\n12 13 14\ntleaf"));
  expect_same_machine("torus:3x5;slots=2-4,9", {});
}

TEST(ScotchExport, UnequalTreesAreParts) {
  EXPECT_THAT(expect_same_machine("tree:(3,2,1)", {}),
              HasSubstr("ltleaf\n2\n3 2\n3 2\n9\n0\n1\n2\n3\n4\n6\n5\n7\n8\n"));
  expect_same_machine("tree:((3,1),(2,2,4))@9,4,1", {});
  expect_same_machine("tree:((3,1),(2,2,4))@9,4,1;slots=1,3-5,10", {});
  expect_same_machine("hwloc:package:2 numa:2 core:3 pu:2", {});
}

TEST(ScotchExport, GridsBecomeGrids) {
  EXPECT_THAT(expect_same_machine("torus:2x3x4", {}), StartsWith("torus3D 4 3 2\n"));
  EXPECT_THAT(expect_same_machine("mesh:3x5", {}), StartsWith("mesh2D 5 3\n"));
  EXPECT_THAT(expect_same_machine("torus:7", {}), StartsWith("torus2D 7 1\n"));
  EXPECT_THAT(expect_same_machine("torus:2x3x2x3", {}), StartsWith("torusXD 4 3 2 3 2\n"));
  EXPECT_THAT(expect_same_machine("hypercube:4", {}), StartsWith("hcub 4\n"));
  EXPECT_THAT(expect_same_machine("hypercube:4;slots=3-9", {}), HasSubstr("hcub 4\n"));
}

TEST(ScotchExport, WhateverElseIsSmallBecomesATable) {
  EXPECT_THAT(expect_same_machine("torus:3x3/2x2", {}), StartsWith("deco 0\n36 "));
  expect_same_machine("dragonfly:5,2,2", {});
  expect_same_machine("torus:2x2x2x2x2x3", {});
  expect_same_machine("dragonfly:5,2,2;slots=3,6-9,19", {.numbers = false});
  expect_same_machine("tree:2x3@4,4", {.hops = false});
}

TEST(ScotchExport, WhatCannotBeExpressedIsRefused) {
  for (const char* spec :
       {"torus:16x16/2x8", "mesh:8x8x8x8", "dragonfly:33,16,8", "tree:2x2@1,0", "tree:600x2@1,1"}) {
    const auto machine = parse_machine(spec);
    expect_error([&] { scotch_target_text(*machine); },
                 {"format scotch: expected a tree whose costs fall", "found " + std::string(spec)});
  }
}

}  // namespace
}  // namespace kith
