// scotch: against Scotch itself, which loads the same text and tells each distance.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "unit/machine/scotch_oracle.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Every distance is Scotch's; `slot_of[i]` is the slot of Scotch's i-th terminal, by default i.
void expect_scotch_agrees(const std::string& text, std::vector<std::uint32_t> slot_of = {}) {
  SCOPED_TRACE(text);
  ScotchOracle oracle(text);
  ASSERT_TRUE(oracle.loaded());
  const auto machine = parse_machine("scotch:" + text);
  ASSERT_EQ(machine->allowed().size(), oracle.size());
  const auto numbers = oracle.numbers();
  if (slot_of.empty()) {
    slot_of.resize(numbers.size());
    std::iota(slot_of.begin(), slot_of.end(), 0U);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_TRUE(machine->allowed().contains(Slot(slot_of[i])));
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      ASSERT_EQ(machine->cost(Slot(slot_of[i]), Slot(slot_of[j])),
                oracle.distance(numbers[i], numbers[j]))
          << i << " and " << j;
    }
  }
}

class Words {
 public:
  explicit Words(std::string first) : text_(std::move(first)) {}
  Words& add(std::uint64_t number) {
    text_.append(" ").append(std::to_string(number));
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct Random {
  Rng rng{11};
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + rng.below(most - least + 1);
  }
  std::vector<std::uint32_t> permutation(std::size_t size) {
    std::vector<std::uint32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0U);
    for (std::size_t i = size; i > 1; --i) std::swap(numbers[i - 1], numbers[rng.below(i)]);
    return numbers;
  }
};

TEST(ScotchSource, CompleteGraphs) {
  for (const char* text : {"cmplt 1", "cmplt 7", "cmplt 24", "cmpltw 3 5 1 2"}) {
    expect_scotch_agrees(text);
  }
}

TEST(ScotchSource, Hypercubes) {
  for (const char* text : {"hcub 1", "hcub 3", "hcub 6"}) expect_scotch_agrees(text);
}

TEST(ScotchSource, MeshesAndTori) {
  Random random;
  for (const std::string kind : {"mesh", "torus"}) {
    for (int i = 0; i < 6; ++i) {
      Words flat(kind + "2D");
      Words deep(kind + "3D");
      for (int d = 0; d < 2; ++d) flat.add(random.between(1, 9));
      for (int d = 0; d < 3; ++d) deep.add(random.between(1, 5));
      expect_scotch_agrees(flat.text());
      expect_scotch_agrees(deep.text());
    }
  }
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t dimensions = random.between(1, 5);
    Words torus("torusXD");
    torus.add(dimensions);
    for (std::uint64_t d = 0; d < dimensions; ++d) torus.add(random.between(1, 4));
    expect_scotch_agrees(torus.text());
  }
}

TEST(ScotchSource, MeshesOfAnyDimensionHaveNoWayAround) {
  // Scotch 7.0 measures meshXD as if it were a torus: the terminals are as there, and the distances
  // where no way around would be shorter.
  ScotchOracle oracle("meshXD 3 5 3 4");
  const auto machine = parse_machine("scotch:meshXD 3 5 3 4");
  const auto same = parse_machine("scotch:mesh3D 5 3 4");
  ASSERT_EQ(machine->slots(), oracle.size());
  for (std::uint32_t a = 0; a < machine->slots(); ++a) {
    for (std::uint32_t b = 0; b < machine->slots(); ++b) {
      ASSERT_EQ(machine->hops(Slot(a), Slot(b)), same->hops(Slot(a), Slot(b)));
      ASSERT_GE(machine->hops(Slot(a), Slot(b)), oracle.distance(a, b));
    }
  }
  EXPECT_EQ(oracle.distance(0, 4), 1U) << "Scotch was mended: say so in README.md";
}

TEST(ScotchSource, GridsSayTheirExtentsSlowestFirst) {
  EXPECT_THAT(parse_machine("scotch:mesh2D 7 3")->dims(), ElementsAre(3, 7));
  EXPECT_EQ(parse_machine("scotch:torus3D 2 3 4")->kind(), "torus");
  EXPECT_FALSE(parse_machine("scotch:torus3D 2 3 4")->has_costs());
}

TEST(ScotchSource, TreesOfLinks) {
  Random random;
  expect_scotch_agrees("tleaf 3 4 100 2 10 8 1");
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t levels = random.between(1, 4);
    Words tree("tleaf");
    tree.add(levels);
    for (std::uint64_t l = 0; l < levels; ++l) {
      tree.add(random.between(2, 5)).add(random.between(1, 50));
    }
    expect_scotch_agrees(tree.text());
  }
}

TEST(ScotchSource, TreesOfLinksAreTreesWithCosts) {
  const auto machine = parse_machine("scotch:tleaf 3 4 100 2 10 8 1");
  ASSERT_NE(machine->as_tree(), nullptr);
  EXPECT_TRUE(machine->has_costs());
  EXPECT_EQ(machine->slots(), 64U);
  EXPECT_EQ(machine->cost(Slot(0), Slot(63)), 111U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(63)), 6U);
  EXPECT_EQ(parse_machine("scotch:tleaf 0")->slots(), 1U);
}

TEST(ScotchSource, TreesWithLabelledLeaves) {
  Random random;
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t nodes = random.between(2, 4);
    const std::uint64_t packages = random.between(2, 3);
    const std::uint64_t cores = random.between(2, 4);
    Words tree("ltleaf 3");
    tree.add(nodes).add(40).add(packages).add(7).add(cores).add(1);
    const std::uint64_t block =
        std::vector{cores, packages * cores, nodes * packages * cores}[random.between(0, 2)];
    tree.add(block);
    for (const std::uint32_t label : random.permutation(block)) tree.add(label);
    expect_scotch_agrees(tree.text());
  }
  EXPECT_TRUE(parse_machine("scotch:ltleaf 1 4 1 1 0")->as_tree()->is_symmetric());
}

/// A deco 0 of `labels`, with distances between `least` and `least` + 8.
std::string random_deco(Random& random, const std::vector<std::uint32_t>& labels) {
  const std::size_t count = labels.size();
  Words deco("deco 0");
  deco.add(count).add(2 * count - 1);
  for (std::size_t i = 0; i < count; ++i) deco.add(labels[i]).add(1).add(count + i);
  for (std::size_t i = count * (count - 1) / 2; i > 0; --i) deco.add(random.between(1, 9));
  return deco.text();
}

TEST(ScotchSource, TablesOfDistances) {
  Random random;
  for (std::size_t count : {1, 2, 4, 8, 16}) {
    expect_scotch_agrees(random_deco(random, random.permutation(count)));
  }
  expect_scotch_agrees(random_deco(random, {90, 7, 100, 12}));
  const auto machine = parse_machine("scotch:" + random_deco(random, {90, 7, 100, 12}));
  EXPECT_EQ(machine->node_name(0), "terminal7");
  EXPECT_EQ(machine->node_name(3), "terminal100");
}

TEST(ScotchSource, CompiledTablesOfDistances) {
  Random random;
  for (std::size_t count : {2, 4, 8, 16}) {
    std::string compiled = ScotchOracle(random_deco(random, random.permutation(count))).saved();
    std::ranges::replace(compiled, '\n', ' ');
    ASSERT_THAT(compiled, testing::StartsWith("deco 1 "));
    expect_scotch_agrees(compiled);
  }
  // Terminals 1 and 0 are domains 2 and 3 of three, at distance 6.
  expect_scotch_agrees("deco 1 2 3 0 2 2 1 1 1 0 1 1 4 4 6");
  EXPECT_EQ(parse_machine("scotch:deco 1 2 3 0 2 2 1 1 1 0 1 1 4 4 6")->hops(Slot(0), Slot(1)), 6U);
}

TEST(ScotchSource, PartsOfTargets) {
  expect_scotch_agrees("sub 4 1 2 5 7 tleaf 2 3 10 3 1", {1, 2, 5, 7});
  expect_scotch_agrees("sub 3 8 0 4 torus2D 3 3", {8, 0, 4});
  expect_scotch_agrees("sub 2 0 2 sub 4 7 5 3 1 mesh2D 3 3", {7, 3});
}

TEST(ScotchSource, PartsKeepTheNumbersOfTheWhole) {
  const auto machine = parse_machine("scotch:sub 3 8 0 4 torus2D 3 3");
  EXPECT_EQ(machine->slots(), 9U);
  EXPECT_THAT(machine->allowed().to_vector(), ElementsAre(Slot(0), Slot(4), Slot(8)));
}

TEST(ScotchSource, FilesMayBreakLinesAnywhere) {
  const TempDirectory folder;
  const auto file = folder.write("t.tgt", "tleaf\n2\n\t3 10\r\n4 1\n\n");
  const auto machine = parse_machine("scotch:" + file.string());
  EXPECT_EQ(machine->slots(), 12U);
  EXPECT_EQ(machine->cost(Slot(0), Slot(11)), 11U);
}

TEST(ScotchSource, BadTargetsNameThePlace) {
  const TempDirectory folder;
  const std::vector<BrokenFile> broken{
      {"", {":1: expected a Scotch target", "found nothing"}},
      {"tlaef 1 2 3\n", {":1: expected a Scotch target: one of cmplt", "\"tlaef\""}},
      {"tleaf 2\n3 1\n1 1\n", {":3: expected the size of a level", "from 2", "\"1\""}},
      {"tleaf 2\n3 1\n", {":2:", "the size of a level", "the end"}},
      {"tleaf 1 3 1\n7\n", {":2: expected the end of the target, found \"7\""}},
      {"tleaf 2 65536 1 65536 1", {"at most 4294967295 leaves"}},
      {"tleaf 2 2 4611686018427387904 2 1", {"2^62"}},
      {"mesh2D 4 0", {"the size of a dimension", "\"0\""}},
      {"mesh2D 65536 65536", {"at most 4294967295 terminals"}},
      {"torusXD 6 1 1 1 1 1 1", {"the number of dimensions", "to 5"}},
      {"hcub 32", {"the dimension", "to 31"}},
      {"cmplt -3", {"the number of terminals", "\"-3\""}},
      {"cmpltw 2 1 0", {"a terminal's weight"}},
      {"ltleaf 1 4 1 3 0 1 2", {"as many leaves as some object has, found 3"}},
      {"ltleaf 1 4 1 4 0 1 1 3", {"a permutation, found 1 twice"}},
      {"ltleaf 3 4096 1 4096 1 8 1 8 1 0 2 3 4 5 6 7", {"permuted leaves"}},
      {"deco 2 1 1 1", {"type 0 or 1"}},
      {"deco 0 3 2", {"the number of domains", "from 3"}},
      {"deco 0 2 3 0 1 2 0 1 3 5", {"different numbers, found 0 twice"}},
      {"deco 0 2 3 0 1 2 1 1 2 5", {"a domain of its own"}},
      {"deco 0 2 3 0 1 2 1 1 3 0", {"a distance, a whole number from 1"}},
      {"deco 0 30000 60000 0 1 2", {"a terminal's number", "the end"}},
      {"deco 1 2 3 0 2 2 1 2 1 0 1 1 4 4 6", {"2 domains of size 1, found 1"}},
      {"sub 2 0 9 hcub 3", {"terminals to keep below 8, found 9"}},
      {"sub 2 1 1 hcub 3", {"each terminal to keep once"}},
      {"sub 1 0 varcmplt", {"a fixed number of terminals"}},
      {"varhcub", {"a fixed number of terminals"}},
      {"sub 1 0 sub 1 0 sub 1 0 sub 1 0 sub 1 0 sub 1 0 sub 1 0 sub 1 0 sub 1 0 hcub 1",
       {"at most 8"}},
  };
  for (const auto& [content, parts] : broken) {
    const auto file = folder.write("broken.tgt", content);
    SCOPED_TRACE(content);
    expect_error([&] { parse_machine("scotch:" + file.string()); }, parts);
  }
}

TEST(ScotchSource, BadInlineTargetsNameTheOption) {
  expect_error(
      [] { parse_machine("scotch:tleaf 1 3"); },
      {"topology: expected the cost of a level's links", "the end", "in \"scotch:tleaf 1 3\""});
  expect_error([] { parse_machine("scotch:no/such file.tgt"); }, {"no/such file.tgt"});
}

}  // namespace
}  // namespace kith
