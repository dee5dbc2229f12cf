#include "io/matrix_formats.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

// As Open MPI 4.1.4 writes them (histograms shortened).
const std::string rank0 =
    "# POINT TO POINT\n"
    "E\t0\t0\t800 bytes\t1 msgs sent\t0,0,1\n"
    "E\t0\t1\t21 bytes\t2 msgs sent\t5,0\n"
    "I\t0\t1\t5904 bytes\t33 msgs sent\n"
    "# OSC\n"
    "S\t0\t1\t800 bytes\t1 msgs sent\n"
    "R\t0\t2\t640 bytes\t3 msgs sent\n"
    "# COLLECTIVES\n"
    "C\t0\t1\t77777 bytes\t33 msgs sent\n"
    "D\tMPI COMMUNICATOR 3 SPLIT FROM 0\tprocs: 2,0\n"
    "O2A\t0\t1000 bytes\t2 msgs sent\n"
    "D\tMPI_COMM_WORLD\tprocs: 0,1,2\n"
    "O2A\t0\t12432 bytes\t2 msgs sent\n"
    "A2O\t0\t0 bytes\t0 msgs sent\n"
    "A2A\t0\t96 bytes\t5 msgs sent\n";
const std::string rank1 =
    "# POINT TO POINT\nE\t1\t2\t5 bytes\t1 msgs sent\t0\n# OSC\n# COLLECTIVES\n";
const std::string rank2 = "# POINT TO POINT\n# OSC\n# COLLECTIVES\n";

class Prof : public testing::Test {
 protected:
  void SetUp() override {
    dir_.write("run/x.0.prof", rank0);
    dir_.write("run/x.1.prof", rank1);
    dir_.write("run/x.2.prof", rank2);
  }
  TempDirectory dir_;
};

const Cells bytes{{800, 6725, 0}, {0, 0, 5}, {640, 0, 0}};
const Cells messages{{1, 36, 0}, {0, 0, 1}, {3, 0, 0}};

TEST_F(Prof, DirectoriesAndPrefixesGiveAllRanks) {
  EXPECT_EQ(cells_of(read_prof(dir_ / "run", ProfCount::bytes)), bytes);
  EXPECT_EQ(cells_of(read_prof(dir_ / "run/x", ProfCount::bytes)), bytes);
  EXPECT_EQ(cells_of(read_prof(dir_ / "run/x", ProfCount::messages)), messages);
  EXPECT_EQ(cells_of(read_matrix(dir_ / "run")), bytes);
  EXPECT_EQ(cells_of(read_matrix(dir_ / "run/x")), bytes);
  EXPECT_EQ(cells_of(read_matrix(dir_ / "run/x", MatrixFormat::prof)), bytes);
}

TEST_F(Prof, SilentRanksAreRanks) {
  dir_.write("silent/x.0.prof", "");
  dir_.write("silent/x.1.prof", rank2);
  EXPECT_EQ(cells_of(read_prof(dir_ / "silent", ProfCount::bytes)), (Cells{{0, 0}, {0, 0}}));
}

TEST_F(Prof, ASingleFileHasItsRows) {
  EXPECT_EQ(cells_of(read_matrix(dir_ / "run/x.0.prof")),
            (Cells{{800, 6725, 0}, {0, 0, 0}, {640, 0, 0}}));
  EXPECT_EQ(cells_of(read_matrix(dir_.write("all.prof", rank0 + rank1 + rank2))), bytes);
  EXPECT_EQ(cells_of(read_matrix(dir_.write("all", rank0 + rank1 + rank2))), bytes);
}

TEST_F(Prof, MissingAndForeignFilesAreErrors) {
  expect_error([&] { read_prof(dir_ / "none", ProfCount::bytes); }, {"none", "PREFIX.<rank>.prof"});
  dir_.write("run/y.0.prof", rank2);
  expect_error([&] { read_prof(dir_ / "run", ProfCount::bytes); },
               {"one of the prefixes", "run/x, ", "run/y"});
  EXPECT_EQ(cells_of(read_prof(dir_ / "run/x", ProfCount::bytes)), bytes);
  std::filesystem::remove(dir_ / "run/x.1.prof");
  expect_error([&] { read_prof(dir_ / "run/x", ProfCount::bytes); },
               {"x.0.prof", "ranks below 2, the number of .prof files", "rank 2"});
  dir_.write("gap/x.0.prof", rank2);
  dir_.write("gap/x.2.prof", rank2);
  expect_error([&] { read_prof(dir_ / "gap", ProfCount::bytes); },
               {".prof file of rank 1", "x.2.prof"});
}

TEST_F(Prof, BrokenRowsAreErrorsWithTheLine) {
  const std::vector<BrokenFile> broken{
      {"# POINT TO POINT\nQ\t0\t0\t1 bytes\t1 msgs sent\n", {"b.0.prof:2:", "E, I, S or R"}},
      {"# POINT TO POINT\nE\t1\t0\t1 bytes\t1 msgs sent\n", {":2:", "row of rank 0", "rank 1"}},
      {"E\tx\t0\t1 bytes\t1 msgs sent\n", {":1:", "a rank", "\"x\""}},
      {"E\t0\t4294967295\t1 bytes\t1 msgs sent\n", {":1:", "a rank of at most"}},
      {"E\t0\t0\t1\t1 msgs sent\n", {":1:", "\" bytes\"", "\"1\""}},
      {"E\t0\t0\t-1 bytes\t1 msgs sent\n", {":1:", "\" bytes\"", "-1"}},
      {"E\t0\t0\t1 bytes\n", {":1:", "\" msgs sent\""}},
      {"E 0 0 1 bytes 1 msgs sent\n", {":1:", "E, I, S or R"}},
      {"E\t0\t5\t1 bytes\t1 msgs sent\n", {"ranks below 1", "rank 5"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    dir_.write("bad/b.0.prof", file.content);
    expect_error([&] { read_prof(dir_ / "bad", ProfCount::bytes); }, file.message_parts);
  }
  expect_error([&] { read_matrix(dir_.write("e.prof", "")); }, {"e.prof", "rows of kind"});
  expect_error(
      [&] { read_matrix(dir_.write("f.prof", "E\t0\t4000000000\t1 bytes\t1 msgs sent\n")); },
      {"f.prof", "ranks below 16777216", "4000000000"});
}

}  // namespace
}  // namespace kith
