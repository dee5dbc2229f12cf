#include "kith/io.hpp"
#include "unit/corpus.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

const std::string general = "%%MatrixMarket matrix coordinate integer general\n";

class Mtx : public testing::Test {
 protected:
  TrafficMatrix read(std::string_view content) { return read_matrix(dir_.write("m.mtx", content)); }
  TempDirectory dir_;
};

TEST_F(Mtx, ReadsDirectedEntries) {
  const auto m = read(general + "% a comment\n3 3 4\n1 2 5\n3 1 7\n2 2 9\n1 2 1\n");
  EXPECT_EQ(cells_of(m), (Cells{{0, 6, 0}, {0, 9, 0}, {7, 0, 0}}));
}

TEST_F(Mtx, IsTolerantWhereTheMeaningIsClear) {
  const auto m = read(
      "%%matrixmarket MATRIX Coordinate Integer GENERAL\r\n%c\r\n\r\n  2\t2  1 \r\n"
      "\r\n% later\r\n 2 1   8 ");
  EXPECT_EQ(cells_of(m), (Cells{{0, 0}, {8, 0}}));
  EXPECT_EQ(read(general + "5 5 0\n").ranks(), 5U);
}

TEST_F(Mtx, SymmetricStandsForBothDirections) {
  const std::string banner = "%%MatrixMarket matrix coordinate integer symmetric\n";
  EXPECT_EQ(cells_of(read(banner + "2 2 2\n2 1 5\n1 1 3\n")), (Cells{{3, 5}, {5, 0}}));
  EXPECT_EQ(cells_of(read(banner + "2 2 2\n1 2 5\n2 2 3\n")), (Cells{{0, 5}, {5, 3}}));
}

TEST_F(Mtx, PatternAndRealAndUnsigned) {
  EXPECT_EQ(cells_of(read("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n1 2\n")),
            (Cells{{0, 2}, {0, 0}}));
  EXPECT_EQ(cells_of(read("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.5e3\n")),
            (Cells{{0, 1500}, {0, 0}}));
  EXPECT_EQ(cells_of(read("%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n"
                          "1 2 18446744073709551615\n")),
            (Cells{{0, 18446744073709551615ULL}, {0, 0}}));
}

TEST_F(Mtx, ArrayIsColumnByColumn) {
  EXPECT_EQ(cells_of(read("%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n")),
            (Cells{{1, 3}, {2, 4}}));
  EXPECT_EQ(cells_of(read("%%MatrixMarket matrix array real symmetric\n3 3\n1 2 3\n4 5\n6\n")),
            (Cells{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}}));
}

TEST_F(Mtx, BrokenFilesAreErrorsWithTheLine) {
  const std::string symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n";
  const std::string array = "%%MatrixMarket matrix array integer general\n";
  const std::vector<BrokenFile> broken{
      {"", {"m.mtx:1:", "%%MatrixMarket", "empty"}},
      {"1 2 3\n", {"m.mtx:1:", "%%MatrixMarket", "\"1 2 3\""}},
      {"%%MatrixMarket vector coordinate integer general\n", {":1:", "matrix", "vector"}},
      {"%%MatrixMarket matrix sparse integer general\n", {":1:", "coordinate or array", "sparse"}},
      {"%%MatrixMarket matrix coordinate complex general\n", {":1:", "integer", "\"complex\""}},
      {"%%MatrixMarket matrix coordinate integer hermitian\n", {":1:", "symmetric", "hermitian"}},
      {"%%MatrixMarket matrix coordinate integer\n", {":1:", "general or symmetric", "\"\""}},
      {"%%MatrixMarket matrix coordinate integer general x\n", {":1:", "end of the line", "\"x\""}},
      {"%%MatrixMarket matrix array pattern general\n", {":1:", "pattern"}},
      {general, {":1:", "size line", "end of the file"}},
      {general + "% c\n", {":2:", "size line"}},
      {general + "2 3 1\n1 2 1\n", {":2:", "square", "2 x 3"}},
      {general + "2 2\n1 2 1\n", {":2:", "number of entries", "end of the line"}},
      {general + "2 x 1\n", {":2:", "number of columns", "\"x\""}},
      {general + "2 2 1 5\n", {":2:", "end of the line", "\"5\""}},
      {general + "0 0 0\n", {":2:", "at least 1", "0"}},
      {general + "4000000000 4000000000 0\n", {":2:", "at most 16777216", "4000000000"}},
      {general + "-2 -2 0\n", {":2:", "number of rows", "\"-2\""}},
      {general + "2 2 2\n1 2 1\n", {":3:", "2 entries as line 2 says", "1 at the end"}},
      {general + "2 2 1\n1 2 1\n2 1 1\n", {":4:", "1 entries as line 2 says", "one more"}},
      {general + "2 2 99999999999999\n1 2 1\n", {":3:", "99999999999999 entries"}},
      {general + "2 2 1\n3 1 1\n", {":3:", "row number of at most 2", "\"3\""}},
      {general + "2 2 1\n1 3 1\n", {":3:", "column number of at most 2", "\"3\""}},
      {general + "2 2 1\n0 1 1\n", {":3:", "row number counted from 1", "0"}},
      {general + "2 2 1\n1 0 1\n", {":3:", "column number counted from 1"}},
      {general + "2 2 1\n1 -1 1\n", {":3:", "column number", "\"-1\""}},
      {general + "2 2 1\n1 2\n", {":3:", "a weight", "end of the line"}},
      {general + "2 2 1\n1 2 -4\n", {":3:", "at least 0", "-4"}},
      {general + "2 2 1\n1 2 0.25\n", {":3:", "whole number", "100", "0.25"}},
      {general + "2 2 1\n1 2 3 4\n", {":3:", "end of the line", "\"4\""}},
      {general + "2 2 2\n1 2 18446744073709551615\n1 2 1\n", {"rank 0 to rank 1", "2^64"}},
      {symmetric + "2 2 2\n1 2 1\n2 1 1\n", {":4:", "one triangle"}},
      {array + "2 2\n1\n2\n3\n", {":5:", "4 entries as line 2 says", "3 at the end"}},
      {array + "2 2\n1 2 3 4 5\n", {":3:", "4 entries", "one more: \"5\""}},
      {array + "2 2 4\n", {":2:", "end of the line"}},
      {std::string("\x1f\x8b\x08\x00garbage", 11), {":1:", "expected text", "\\x1f\\x8b"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read(file.content); }, file.message_parts);
  }
}

TEST_F(Mtx, TheCorpusReadsAsItsCommentsSay) {
  const auto cases = corpus() / "cases";
  const auto figure = read_matrix(cases / "eagermap-figure3-16.mtx");
  EXPECT_EQ(figure.ranks(), 16U);
  EXPECT_EQ(figure.entries(), 108U);
  EXPECT_EQ(figure.at(Rank{0}, Rank{1}), 8U);
  EXPECT_EQ(figure.at(Rank{1}, Rank{0}), 8U);
  EXPECT_EQ(figure.at(Rank{0}, Rank{4}), 1U);
  EXPECT_EQ(read_matrix(cases / "choicemap-thesis-8.mtx").entries(), 52U);
  const auto lammps = read_matrix(corpus() / "recorded/lammps-2x4x2-16.mtx");
  EXPECT_EQ(lammps.entries(), 95U);
  EXPECT_EQ(lammps.at(Rank{0}, Rank{1}), 2858016U);
  // Bytes between hosts of four, ranks in order: the file's second comment.
  std::uint64_t between = 0;
  for (std::uint32_t r = 0; r < 16; ++r) {
    for (std::uint32_t c = 0; c < 16; ++c) {
      if (r / 4 != c / 4) between += lammps.at(Rank{r}, Rank{c});
    }
  }
  EXPECT_EQ(between, 52431556U);
}

TEST_F(Mtx, AMillionEntriesComeBack) {
  const TrafficMatrix m = random_matrix(100'000, 1'000'000, 1);
  write_matrix(dir_ / "big.mtx", m, MatrixFormat::mtx);
  EXPECT_TRUE(same(read_matrix(dir_ / "big.mtx"), m));
}

}  // namespace
}  // namespace kith
