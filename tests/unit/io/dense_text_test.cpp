#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

class DenseText : public testing::Test {
 protected:
  TrafficMatrix read(std::string_view content) { return read_matrix(dir_.write("m.txt", content)); }
  TempDirectory dir_;
};

TEST_F(DenseText, RowsAreInOrder) {
  EXPECT_EQ(cells_of(read("1 2 3\n4 5 6\n7 8 9\n")), (Cells{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
  EXPECT_EQ(cells_of(read("# by hand\n\n 1\t2 \r\n3 4.0")), (Cells{{1, 2}, {3, 4}}));
}

TEST_F(DenseText, WritesRowsInOrder) {
  write_matrix(dir_ / "out.txt", read("0 2\n3 0\n"), MatrixFormat::dense);
  EXPECT_EQ(content_of(dir_ / "out.txt"), "0 2\n3 0\n");
}

TEST_F(DenseText, BrokenFilesAreErrorsWithTheLine) {
  const std::vector<BrokenFile> broken{
      {"", {"m.txt", "rows of numbers", "empty"}},
      {"# nothing\n", {"m.txt", "empty"}},
      {"1 2\n3\n", {":2:", "2 values in a row", "found 1"}},
      {"1 2\n3 4 5\n", {":2:", "2 values in a row", "one more: \"5\""}},
      {"1 2 3\n1 2 3\n", {":2:", "3 rows", "2 at the end"}},
      {"1 2\n3 4\n5 6\n", {":3:", "2 rows", "one more"}},
      {"1 2\n\n3 x\n", {":3:", "a weight", "\"x\""}},
      {"1 2\n3 -1\n", {":2:", "at least 0"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read(file.content); }, file.message_parts);
  }
}

}  // namespace
}  // namespace kith
