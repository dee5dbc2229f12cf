#include <gtest/gtest.h>

#include "kith/machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

std::unique_ptr<Machine> machine_of(const TempDirectory& folder, std::string_view content) {
  return parse_machine("matrix:" + folder.write("d.txt", content).string());
}

void expect_distances(const Machine& machine, const std::vector<std::vector<std::uint64_t>>& hops,
                      const std::vector<std::vector<std::uint64_t>>& costs, std::uint64_t scale) {
  ASSERT_EQ(machine.slots(), hops.size());
  EXPECT_EQ(machine.nodes(), hops.size());
  EXPECT_EQ(machine.kind(), "matrix");
  EXPECT_EQ(machine.cost_scale(), scale);
  EXPECT_EQ(machine.has_costs(), scale != 1);
  for (std::uint32_t a = 0; a < hops.size(); ++a) {
    EXPECT_EQ(machine.node_of(Slot(a)), a);
    for (std::uint32_t b = 0; b < hops.size(); ++b) {
      EXPECT_EQ(machine.hops(Slot(a), Slot(b)), hops[a][b]) << a << " " << b;
      EXPECT_EQ(machine.cost(Slot(a), Slot(b)), costs[a][b]) << a << " " << b;
    }
  }
}

TEST(MatrixSource, ReadsWholeNumbersAsHops) {
  const TempDirectory folder;
  const std::vector<std::vector<std::uint64_t>> hops{
      {0, 3, 1, 12}, {3, 0, 2, 7}, {1, 2, 0, 5}, {12, 7, 5, 0}};
  expect_distances(*machine_of(folder, "0 3 1 12\n3 0 2 7\n1 2 0 5\n12 7 5 0\n"), hops, hops, 1);
  const auto machine =
      machine_of(folder, "# rack\n\n0 3.0 1 1.2e1\n3 0 2. 7 \n1\t2 0.0 5\r\n12 7 5e+0 0");
  expect_distances(*machine, hops, hops, 1);
  EXPECT_EQ(machine->lowest_cost(), 1U);
}

TEST(MatrixSource, ReadsDecimalsAsCosts) {
  const TempDirectory folder;
  const auto machine = machine_of(folder, "0 1.5 0.25\n1.50 0 .4\n25e-2 0.4 0\n");
  expect_distances(*machine, {{0, 2, 1}, {2, 0, 1}, {1, 1, 0}},
                   {{0, 150, 25}, {150, 0, 40}, {25, 40, 0}}, 100);
  EXPECT_EQ(machine->lowest_cost(), 25U);
}

TEST(MatrixSource, ReadsMatrixMarket) {
  const TempDirectory folder;
  const std::vector<std::vector<std::uint64_t>> hops{{0, 3, 1}, {3, 0, 2}, {1, 2, 0}};
  for (const char* content :
       {"%%MatrixMarket matrix coordinate integer symmetric\n% a comment\n3 3 3\n2 1 3\n3 1 1\n3 2 "
        "2\n",
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 5\n1 2 3\n3 1 1\n2 3 2\n1 1 0\n2 "
        "2 "
        "0\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 6\n2 1 3\n1 2 3.0e+00\n3 1 1\n3 2 2\n1 "
        "3 "
        "1\n2 3 2\n",
        "%%matrixmarket MATRIX array integer general\n3 3\n0\n3\n1\n3\n0\n2\n1\n2\n0\n",
        "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n3\n1\n0\n2\n0\n"}) {
    SCOPED_TRACE(content);
    expect_distances(*machine_of(folder, content), hops, hops, 1);
  }
}

TEST(MatrixSource, ASingleNodeIsAMachine) {
  const TempDirectory folder;
  expect_distances(*machine_of(folder, "0\n"), {{0}}, {{0}}, 1);
  expect_distances(
      *machine_of(folder, "%%MatrixMarket matrix coordinate integer symmetric\n1 1 0\n"), {{0}},
      {{0}}, 1);
}

TEST(MatrixSource, RefusesWhatIsNoMatrixOfDistances) {
  const TempDirectory folder;
  const std::string coordinate = "%%MatrixMarket matrix coordinate integer symmetric\n";
  const std::string general = "%%MatrixMarket matrix coordinate integer general\n";
  const std::string array = "%%MatrixMarket matrix array real general\n";
  const std::vector<BrokenFile> cases{
      {"", {"d.txt: expected rows of distances, found an empty file"}},
      {"# nothing\n", {"an empty file"}},
      {"0 1\n2 0\n", {"d.txt:2: ", "row 2, column 1", "row 1, column 2", "found \"2\""}},
      {"0 .5\n.25 0\n", {"d.txt:2: ", "the same distance", "found \".25\""}},
      {"0 1\n1 3\n", {"d.txt:2: ", "0 at row 2, column 2", "found \"3\""}},
      {"0 0\n0 0\n", {"d.txt:1: ", "a distance above 0 at row 1, column 2"}},
      {"0 -1\n-1 0\n", {"d.txt:1: ", "a distance", "found \"-1\""}},
      {"0 nan\nnan 0\n", {"found \"nan\""}},
      {"0 1e\n1e 0\n", {"found \"1e\""}},
      {"0 1 2\n1 0\n2 1 0\n", {"d.txt:2: ", "3 distances in a row, found 2"}},
      {"0 1\n1 0 4\n", {"d.txt:2: ", "2 distances in a row, found one more"}},
      {"0 1\n", {"d.txt:1: ", "2 rows, as many as columns, found 1 at the end"}},
      {"0 1\n1 0\n1 1\n", {"d.txt:3: ", "found one more"}},
      {"0 1e30\n1e30 0\n", {"d.txt:1: ", "at most 18 digits"}},
      {"0 1e-30\n1e-30 0\n", {"at most 18 digits"}},
      {"0 1 1000000000000\n1 0 0.00000001\n1000000000000 0.00000001 0\n",
       {"d.txt:2: ", "at most 18 digits"}},
      {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", {"d.txt:1: "}},
      {"%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1\n", {"d.txt:1: "}},
      {coordinate, {"d.txt:1: ", "a size line"}},
      {coordinate + "2 3 1\n", {"d.txt:2: ", "a square matrix, found 2 x 3"}},
      {coordinate + "0 0 0\n", {"d.txt:2: ", "a square matrix"}},
      {coordinate + "32769 32769 1\n", {"d.txt:2: ", "at most 32768"}},
      {coordinate + "32768 32768 600000000\n2 1 1\n", {"d.txt:2: ", "found a shorter file"}},
      {coordinate + "3 3 2\n2 1 1\n3 1 1\n", {"d.txt:2: ", "3 entries", "found 2"}},
      {coordinate + "3 3 3\n2 1 1\n3 1 1\n2 2 0\n", {"none at row 2, column 3"}},
      {coordinate + "3 3 3\n2 1 1\n3 1 1\n2 1 1\n", {"d.txt:5: ", "row 2, column 1 again"}},
      {coordinate + "2 2 2\n2 1 1\n1 2 1\n",
       {"d.txt:4: ", "one triangle", "row 1, column 2 beside row 2, column 1"}},
      {general + "2 2 2\n2 1 1\n1 2 2\n", {"d.txt:4: ", "the same distance"}},
      {coordinate + "2 2 1\n3 1 10\n", {"d.txt:3: ", "a row number of at most 2"}},
      {coordinate + "2 2 1\n0 1 10\n", {"d.txt:3: ", "counted from 1"}},
      {coordinate + "2 2 1\n2 1\n ", {"d.txt:3: ", "the end of the line"}},
      {coordinate + "2 2 1\n2 1 1 1\n", {"d.txt:3: "}},
      {coordinate + "2 2 1\n2 1 1\n2 1 1\n", {"d.txt:4: ", "1 entries, found one more"}},
      {coordinate + "2 2 2\n2 1 1\n", {"d.txt:3: ", "2 entries, found 1"}},
      {general + "2 2 2\n2 1 1\n1 2 3\n", {"d.txt:4: ", "the same distance"}},
      {general + "2 2 2\n2 1 1\n2 2 0\n", {"none at row 1, column 2"}},
      {array + "2 2\n0 1 1\n", {"a distance at row 2, column 2", "found the end of the file"}},
      {array + "2 2\n0 1 1 0 0\n", {"d.txt:3: ", "found one more distance"}},
  };
  for (const BrokenFile& broken : cases) {
    SCOPED_TRACE(broken.content);
    expect_error([&] { machine_of(folder, broken.content); }, broken.message_parts);
  }
  expect_error([] { parse_machine("matrix:"); }, {"topology: expected matrix:FILE"});
  expect_error([] { parse_machine("matrix:/nonexistent/d.txt"); }, {"/nonexistent/d.txt"});
}

TEST(MatrixSource, RefusesRowsThatAreTooLong) {
  const TempDirectory folder;
  std::string row;
  for (int i = 0; i < 32769; ++i) row += "1 ";
  expect_error([&] { machine_of(folder, row); }, {"d.txt:1: ", "at most 32768 nodes, found 32769"});
}

}  // namespace
}  // namespace kith
