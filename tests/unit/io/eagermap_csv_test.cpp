#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

class EagermapCsv : public testing::Test {
 protected:
  TrafficMatrix read(std::string_view content) { return read_matrix(dir_.write("m.csv", content)); }
  TempDirectory dir_;
};

TEST_F(EagermapCsv, TheFirstLineIsTheLastRank) {
  EXPECT_EQ(cells_of(read("7,8,9\n4,5,6\n1,2,3\n")), (Cells{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
}

TEST_F(EagermapCsv, ToleratesBlanksAndClosingCommas) {
  EXPECT_EQ(cells_of(read("\r\n 3 , 4,\r\n1,2 ,\n\n")), (Cells{{1, 2}, {3, 4}}));
  EXPECT_EQ(cells_of(read("5")), (Cells{{5}}));
}

TEST_F(EagermapCsv, WritesReversedRows) {
  write_matrix(dir_ / "out.csv", read("7,0,9\n0,0,0\n1,2,3\n"), MatrixFormat::eagermap);
  EXPECT_EQ(content_of(dir_ / "out.csv"), "7,0,9\n0,0,0\n1,2,3\n");
}

TEST_F(EagermapCsv, BrokenFilesAreErrorsWithTheLine) {
  const std::vector<BrokenFile> broken{
      {"", {"m.csv", "rows of comma-separated numbers", "empty"}},
      {"\n \n", {"m.csv", "empty"}},
      {"1,2\n3\n", {":2:", "2 values in a row", "found 1"}},
      {"1,2\n3,4,5\n", {":2:", "2 values in a row", "one more: \"5\""}},
      {"1,2\n", {":1:", "2 rows", "1 at the end"}},
      {"1,2\n3,4\n5,6\n", {":3:", "2 rows", "one more"}},
      {"1,2\n3,x\n", {":2:", "a weight", "\"x\""}},
      {"1,2\n3,-4\n", {":2:", "at least 0", "\"-4\""}},
      {"1,2\n3,0.5\n", {":2:", "whole number", "0.5"}},
      {"1,,2\n1,2\n", {":1:", "between commas", "nothing"}},
      {"1 2\n3 4\n", {":1:", "\"1 2\""}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read(file.content); }, file.message_parts);
  }
}

}  // namespace
}  // namespace kith
