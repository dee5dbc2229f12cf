#include "kith/detail/generate.hpp"
#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

TEST(MatrixFormatName, IsReadBackAndErrorsListAll) {
  for (const auto format : {MatrixFormat::mtx, MatrixFormat::eagermap, MatrixFormat::dense,
                            MatrixFormat::metis, MatrixFormat::scotch, MatrixFormat::prof}) {
    EXPECT_EQ(parse_matrix_format(to_string(format), "--from"), format);
  }
  EXPECT_EQ(parse_matrix_format("eagermap", "--from"), MatrixFormat::eagermap);
  expect_error([] { parse_matrix_format("excel", "--to"); },
               {"--to: expected one of mtx, csv, eagermap, dense, metis, scotch, prof", "excel"});
}

TEST(MatrixFile, DirectedFormatsKeepEverything) {
  const TempDirectory dir;
  for (const std::uint32_t ranks : {1U, 2U, 3U, 5U, 40U}) {
    const TrafficMatrix m = random_matrix(ranks, 6ULL * ranks, ranks);
    for (const auto& [name, format] : {std::pair{"a.mtx", MatrixFormat::mtx},
                                       {"a.csv", MatrixFormat::eagermap},
                                       {"a.txt", MatrixFormat::dense}}) {
      write_matrix(dir / name, m, format);
      EXPECT_TRUE(same(read_matrix(dir / name), m)) << name << " of " << ranks;
    }
    // Without the ending the content tells.
    for (const auto format : {MatrixFormat::mtx, MatrixFormat::dense}) {
      write_matrix(dir / "plain", m, format);
      EXPECT_TRUE(same(read_matrix(dir / "plain"), m)) << to_string(format) << " of " << ranks;
    }
  }
}

TEST(MatrixFile, UndirectedFormatsKeepThePairs) {
  const TempDirectory dir;
  for (const std::uint32_t ranks : {1U, 2U, 3U, 40U, 200U}) {
    const TrafficMatrix m = random_matrix(ranks, 4ULL * ranks, 7 + ranks);
    const TrafficGraph truth = TrafficGraph::from(m);
    for (const auto& [name, format] :
         {std::pair{"a.graph", MatrixFormat::metis}, {"a.grf", MatrixFormat::scotch}}) {
      write_matrix(dir / name, m, format);
      const TrafficMatrix back = read_matrix(dir / name);
      EXPECT_EQ(back.entries(), truth.edges());
      const TrafficGraph graph = TrafficGraph::from(back);
      EXPECT_TRUE(std::ranges::equal(graph.offsets(), truth.offsets()));
      EXPECT_TRUE(std::ranges::equal(graph.all_neighbours(), truth.all_neighbours()));
      EXPECT_TRUE(std::ranges::equal(graph.all_weights(), truth.all_weights()));
    }
  }
}

TEST(MatrixFile, PatternsAreStreamedAsSymmetricMatrices) {
  const TempDirectory dir;
  const auto pattern = make_permuted(make_stencil({5, 4, 3}, 27, true, {100, 10, 1}), 2);
  write_pattern(dir / "p.mtx", *pattern, "first\nsecond");
  EXPECT_THAT(content_of(dir / "p.mtx"),
              testing::StartsWith("%%MatrixMarket matrix coordinate integer symmetric\n% first\n"
                                  "% second\n60 60 "));
  EXPECT_TRUE(same(read_matrix(dir / "p.mtx"), to_matrix(*pattern)));
}

TEST(MatrixFile, WhatCannotBeWrittenIsAnError) {
  const TempDirectory dir;
  const TrafficMatrix m = random_matrix(3, 5, 1);
  expect_error([&] { write_matrix(dir / "a.prof", m, MatrixFormat::prof); }, {"prof", "mtx"});
  expect_error([&] { write_matrix(dir / "no/such/a.mtx", m, MatrixFormat::mtx); },
               {"cannot write", "a.mtx", "No such file"}, ErrorKind::environment);
  expect_error([&] { write_matrix("/dev/full", m, MatrixFormat::mtx); },
               {"cannot write /dev/full", "No space left"}, ErrorKind::environment);
  expect_error([&] { write_matrix("/dev/full", m, MatrixFormat::dense); },
               {"cannot write /dev/full", "No space left"}, ErrorKind::environment);
}

}  // namespace
}  // namespace kith
