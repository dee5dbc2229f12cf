#include "io/matrix_formats.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

std::optional<MatrixFormat> whole(std::string_view text) {
  return format_of_content(text, true);
}

TEST(DetectFormat, ByName) {
  EXPECT_EQ(format_of_name("a/b.mtx"), MatrixFormat::mtx);
  EXPECT_EQ(format_of_name("b.MTX"), MatrixFormat::mtx);
  EXPECT_EQ(format_of_name("b.csv"), MatrixFormat::eagermap);
  EXPECT_EQ(format_of_name("b.txt"), MatrixFormat::dense);
  EXPECT_EQ(format_of_name("b.graph"), MatrixFormat::metis);
  EXPECT_EQ(format_of_name("b.grf"), MatrixFormat::scotch);
  EXPECT_EQ(format_of_name("x.3.prof"), MatrixFormat::prof);
  EXPECT_FALSE(format_of_name("b.mat"));
  EXPECT_FALSE(format_of_name("mtx"));
}

TEST(DetectFormat, ByContent) {
  EXPECT_EQ(whole("%%MatrixMarket matrix"), MatrixFormat::mtx);
  EXPECT_EQ(whole("# POINT TO POINT\nE\t0"), MatrixFormat::prof);
  EXPECT_EQ(whole("1,2\n3,4\n"), MatrixFormat::eagermap);
  EXPECT_EQ(whole("1 2\n3 4\n"), MatrixFormat::dense);
  EXPECT_EQ(whole("7"), MatrixFormat::dense);
  EXPECT_EQ(whole("1 2 3\n1 2 3\n1 2 3\n"), MatrixFormat::dense);
  EXPECT_EQ(whole("1 2 3 4 5\n1 2 3 4 5\n"), MatrixFormat::dense);
  EXPECT_EQ(whole("2 1\n2\n1\n"), MatrixFormat::metis);
  EXPECT_EQ(whole("% c\n3 2 1\n2 5\n1 5 3 7\n2 7\n"), MatrixFormat::metis);
  EXPECT_EQ(whole("0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n"), MatrixFormat::scotch);
  EXPECT_EQ(whole("0\r\n3 4\r\n0 000\r\n1 1\r\n2 0 2\r\n1 1\r\n"), MatrixFormat::scotch);
  EXPECT_FALSE(whole(""));
  EXPECT_FALSE(whole("hello\n"));
  EXPECT_FALSE(
      whole("\x7f"
            "ELF\x02"));
  EXPECT_FALSE(whole("1\n2\n3\n"));
}

TEST(DetectFormat, OfALongFileOnlyTheHeadIsSeen) {
  EXPECT_EQ(format_of_content("100 200 1\n2 5 3 6\n1 5\n", false), MatrixFormat::metis);
  EXPECT_EQ(format_of_content("1 2 3 4 5 6\n1 2 3 4 5 6\n1 2", false), MatrixFormat::dense);
  EXPECT_EQ(format_of_content("1 2 3 4 5 6 7 8", false), MatrixFormat::dense);
}

TEST(DetectFormat, ReadMatrixUsesItForOtherEndings) {
  const TempDirectory dir;
  EXPECT_EQ(cells_of(read_matrix(dir.write("a.mat", "1 2\n3 4\n"))), (Cells{{1, 2}, {3, 4}}));
  EXPECT_EQ(cells_of(read_matrix(dir.write("b", "3,4\n1,2\n"))), (Cells{{1, 2}, {3, 4}}));
  EXPECT_EQ(cells_of(read_matrix(dir.write("c", "2 1 1\n2 5\n1 5\n"))), (Cells{{0, 5}, {0, 0}}));
  EXPECT_EQ(cells_of(read_matrix(dir.write("d", "0\n2 2\n0 000\n1 1\n1 0\n"))),
            (Cells{{0, 1}, {0, 0}}));
  // The given format wins over the ending.
  EXPECT_EQ(cells_of(read_matrix(dir.write("e.csv", "1 2\n3 4\n"), MatrixFormat::dense)),
            (Cells{{1, 2}, {3, 4}}));
  expect_error([&] { read_matrix(dir.write("f", "hello\n")); },
               {"or a matrix (", "starts with \"hello"});
  expect_error([&] { read_matrix(dir.write("g", "")); }, {"or a matrix (", "an empty file"});
  expect_error([&] { read_matrix(dir / "none"); }, {"none", "No such file"});
  expect_error([&] { read_matrix(dir.path()); }, {"a matrix file", "a directory"});
}

}  // namespace
}  // namespace kith
