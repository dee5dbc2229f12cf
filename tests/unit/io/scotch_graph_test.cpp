#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

class ScotchGraph : public testing::Test {
 protected:
  TrafficMatrix read(std::string_view content) { return read_matrix(dir_.write("m.grf", content)); }
  TempDirectory dir_;
};

const Cells ones{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
const Cells weighted{{0, 5, 0}, {0, 0, 7}, {0, 0, 0}};

TEST_F(ScotchGraph, AllFlags) {
  EXPECT_EQ(cells_of(read("0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n")), ones);
  EXPECT_EQ(cells_of(read("0\n3\t4\n1\t0\n1\t2\n2\t1\t3\n1\t2\n")), ones);
  EXPECT_EQ(cells_of(read("0\n3 4\n0 010\n1 5 1\n2 5 0 7 2\n1 7 1\n")), weighted);
  EXPECT_EQ(cells_of(read("0\n3 4\n0 001\n9 1 1\n9 2 0 2\n9 1 1\n")), ones);
  EXPECT_EQ(cells_of(read("0\n3 4\n0 011\n9 1 5 1\n9 2 5 0 7 2\n9 1 7 1\n")), weighted);
  EXPECT_EQ(cells_of(read("0\n3 4\n1 110\n3 1 7 2\n1 1 5 2\n2 2 5 1 7 3\n")), weighted);
}

TEST_F(ScotchGraph, LineEndsMeanNothing) {
  EXPECT_EQ(cells_of(read("0 3 4 0 010 1 5 1 2 5 0\n7\n2 1 7 1")), weighted);
}

TEST_F(ScotchGraph, WritesPairTotals) {
  TrafficMatrixBuilder builder(3);
  builder.add(Rank{0}, Rank{1}, 2);
  builder.add(Rank{1}, Rank{0}, 3);
  builder.add(Rank{2}, Rank{1}, 7);
  builder.add(Rank{2}, Rank{2}, 99);
  write_matrix(dir_ / "out.grf", builder.build(), MatrixFormat::scotch);
  EXPECT_EQ(cells_of(read_matrix(dir_ / "out.grf")), weighted);
}

TEST_F(ScotchGraph, BrokenFilesAreErrorsWithTheLine) {
  const std::vector<BrokenFile> broken{
      {"", {"m.grf:1:", "version", "empty"}},
      {"2\n3 4\n", {":1:", "0, the version", "\"2\""}},
      {"0\n", {":1:", "number of vertices", "end of the file"}},
      {"0\n3\n", {":2:", "number of arcs", "end of the file"}},
      {"0\n1000000 0\n0 000\n", {":2:", "a degree for each vertex, 1000000", "bytes"}},
      {"0\n0 0\n0 000\n", {":2:", "at least 1"}},
      {"0\n3 4\n2 000\n", {":3:", "base value", "\"2\""}},
      {"0\n3 4\n0 0x0\n", {":3:", "flags", "0x0"}},
      {"0\n3 4\n0 0000\n", {":3:", "flags"}},
      {"0\n3 4\n0 000\n1 1\n2 0 2\n", {":5:", "a degree", "end of the file"}},
      {"0\n3 4\n0 000\n1 1\n2 0 3\n1 1\n", {":5:", "vertex number of at most 2", "\"3\""}},
      {"0\n3 4\n1 000\n1 2\n2 0 3\n1 2\n", {":5:", "counted from 1"}},
      {"0\n3 4\n0 000\n1 1\n9 0 2\n1 1\n", {":5:", "degree of at most 2", "\"9\""}},
      {"0\n3 4\n0 000\n1 1\n2 0 2\n1 1 1\n", {":6:", "nothing after", "\"1\""}},
      {"0\n3 5\n0 000\n1 1\n2 0 2\n1 1\n", {":2:", "4 arcs", "5"}},
      {"0\n3 3\n0 000\n1 1\n2 0 2\n0\n", {":6:", "vertex 1 as a neighbour of vertex 2", "none"}},
      {"0\n2 2\n0 010\n1 5 1\n1 6 0\n", {":5:", "weight 5, as line 4 says", "weight 6"}},
      {"0\n2 2\n0 010\n1 5 1\n1 -5 0\n", {":5:", "at least 0"}},
      {"0\n2 2\n0 000\n1 0\n1 1\n", {":4:", "other than vertex 0 itself"}},
      {"0\n3 4\n0 000\n2 1 1\n2 0 0\n0\n", {":4:", "once", "1 twice"}},
      {"0\n2 2\n0 100\n1 1 0\n1 1 0\n", {":5:", "each vertex label once", "1 again"}},
      {"0\n2 2\n0 100\n7 1 0\n1 1 0\n", {":4:", "vertex label of at most 1", "\"7\""}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read(file.content); }, file.message_parts);
  }
}

}  // namespace
}  // namespace kith
