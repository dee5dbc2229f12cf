#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

class MetisGraph : public testing::Test {
 protected:
  TrafficMatrix read(std::string_view content) {
    return read_matrix(dir_.write("m.graph", content));
  }
  TempDirectory dir_;
};

const Cells path_graph{{0, 5, 0, 0}, {0, 0, 7, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};

TEST_F(MetisGraph, APairsWeightIsInOneCell) {
  EXPECT_EQ(cells_of(read("% c\n4 2 1\n2 5\n%c\n1 5 3 7\n2 7\n\n")), path_graph);
}

TEST_F(MetisGraph, AllFormats) {
  const Cells ones{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  EXPECT_EQ(cells_of(read("3 2\n2\n1 3\n2\n")), ones);
  EXPECT_EQ(cells_of(read("3 2 0\n2\n1 3\n2\n")), ones);
  EXPECT_EQ(cells_of(read("3 2 10\n9 2\n9 1 3\n9 2\n")), ones);
  EXPECT_EQ(cells_of(read("3 2 010 2\n9 9 2\n9 9 1 3\n9 9 2\n")), ones);
  EXPECT_EQ(cells_of(read("3 2 100\n9 2\n9 1 3\n9 2\n")), ones);
  EXPECT_EQ(cells_of(read("4 2 11\n9 2 5\n9 1 5 3 7\n9 2 7\n9\n")), path_graph);
  EXPECT_EQ(cells_of(read("4 2 011 1\n9 2 5\n9 1 5 3 7\n9 2 7\n9\n")), path_graph);
  EXPECT_EQ(cells_of(read("4 2 111 2\n8 9 9 2 5\n8 9 9 1 5 3 7\n8 9 9 2 7\n8 9 9\n")), path_graph);
}

TEST_F(MetisGraph, WritesPairTotals) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank{0}, Rank{1}, 2);
  builder.add(Rank{1}, Rank{0}, 3);
  builder.add(Rank{2}, Rank{1}, 7);
  builder.add(Rank{3}, Rank{3}, 99);
  write_matrix(dir_ / "out.graph", builder.build(), MatrixFormat::metis);
  EXPECT_EQ(content_of(dir_ / "out.graph"), "4 2 001\n2 5\n1 5 3 7\n2 7\n\n");
  EXPECT_EQ(cells_of(read_matrix(dir_ / "out.graph")), path_graph);
}

TEST_F(MetisGraph, BrokenFilesAreErrorsWithTheLine) {
  const std::vector<BrokenFile> broken{
      {"", {"m.graph", "header", "nothing"}},
      {"x 1\n", {":1:", "number of vertices", "\"x\""}},
      {"3\n", {":1:", "number of edges", "end of the line"}},
      {"0 0\n", {":1:", "at least 1"}},
      {"1000000 0\n", {":1:", "a line for each vertex, 1000000", "bytes"}},
      {"3 2 7\n2\n1 3\n2\n", {":1:", "format", "\"7\""}},
      {"3 2 0001\n2\n1 3\n2\n", {":1:", "format", "\"0001\""}},
      {"3 2 1 2\n2 1\n1 1 3 1\n2 1\n", {":1:", "vertex weights", "\"1\""}},
      {"3 2 1 0 5\n", {":1:", "end of the line", "\"5\""}},
      {"3 2\n2\n1 3\n", {":3:", "3 vertex lines as line 1 says", "2 at the end"}},
      {"3 2\n2\n1 3\n2\n1\n", {":5:", "nothing after the last vertex", "\"1\""}},
      {"3 2\n2\n1 4\n2\n", {":3:", "vertex number of at most 3", "\"4\""}},
      {"3 2\n2\n1 0\n2\n", {":3:", "counted from 1"}},
      {"3 2\n2\n1 -3\n2\n", {":3:", "vertex number", "-3"}},
      {"3 2 1\n2 5\n1 5 3\n2 7\n", {":3:", "a weight", "end of the line"}},
      {"3 2 10\n2\n\n9 2\n", {":3:", "weight of the vertex", "end of the line"}},
      {"2 1 1\n2 5\n1 6\n", {":3:", "vertex 1", "weight 5, as line 2 says", "weight 6"}},
      {"3 2\n2\n1 3\n\n", {":4:", "vertex 2 as a neighbour of vertex 3", "line 3", "none"}},
      {"3 2\n\n3\n1 2\n", {":2:", "vertex 3 as a neighbour of vertex 1", "line 4", "none"}},
      {"2 2\n2 2\n1 1\n", {":2:", "each neighbour of vertex 1 once", "2 twice"}},
      {"2 1\n1\n2\n", {":2:", "other than vertex 1 itself"}},
      {"3 3\n2\n1 3\n2\n", {":1:", "4 neighbours", "3 edges"}},
      {"2 1 1\n2 -5\n1 -5\n", {":2:", "at least 0"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read(file.content); }, file.message_parts);
  }
}

}  // namespace
}  // namespace kith
