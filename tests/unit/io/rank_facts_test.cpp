#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

TEST(ReadLoads, TakesANumberPerLine) {
  const TempDirectory folder;
  const auto file = folder.write("loads", "# by rank\n3\n\n 18446744073709551615 # much\n0\n");
  EXPECT_EQ(read_loads(file), (std::vector<std::uint64_t>{3, UINT64_MAX, 0}));
}

TEST(ReadLoads, NamesTheLineOfWhatIsNoLoad) {
  const TempDirectory folder;
  for (const char* const wrong : {"-1", "1.5", "1 2", "x"}) {
    const auto file = folder.write("loads", std::string("7\n") + wrong + "\n");
    EXPECT_THAT([&] { read_loads(file); },
                testing::ThrowsMessage<Error>(testing::StartsWith(file.string() + ":2: expected")))
        << wrong;
  }
  EXPECT_THROW(read_loads(folder.write("loads", "# none\n")), Error);
}

TEST(ReadCoordinates, TakesAPointPerLine) {
  const TempDirectory folder;
  const RankCoordinates read = read_coordinates(folder.write("points", "0 0.5\n# next\n-1e3 2\n"));
  EXPECT_EQ(read.dimensions, 2U);
  EXPECT_EQ(read.ranks(), 2U);
  EXPECT_THAT(read.of(1), testing::ElementsAre(-1000, 2));
  EXPECT_TRUE(read.periods.empty());
}

TEST(ReadCoordinates, NamesTheLineOfWhatIsNoPoint) {
  const TempDirectory folder;
  for (const char* const wrong : {"1", "1 2 3", "1 x", "1 inf", "nan 1"}) {
    const auto file = folder.write("points", std::string("0 0\n") + wrong + "\n");
    EXPECT_THAT([&] { read_coordinates(file); },
                testing::ThrowsMessage<Error>(testing::StartsWith(file.string() + ":2: expected")))
        << wrong;
  }
  EXPECT_THROW(read_coordinates(folder.write("points", "# none\n")), Error);
}

TEST(CoordinatesOf, AreThePlacesOnTheProgramsGrid) {
  Trace trace;
  EXPECT_FALSE(coordinates_of(trace));
  trace.meta.emplace();
  EXPECT_FALSE(coordinates_of(trace));
  trace.meta->cartesian = CartesianTopology{{3, 2}, {true, false}, {}};
  EXPECT_THAT(coordinates_of(trace)->of(3), testing::ElementsAre(1, 1));
  trace.meta->cartesian->ranks = {4, 5, 0, 1, 2, 3};  // by place
  const auto coordinates = coordinates_of(trace);
  EXPECT_THAT(coordinates->of(4), testing::ElementsAre(0, 0));
  EXPECT_THAT(coordinates->of(3), testing::ElementsAre(2, 1));
  EXPECT_THAT(coordinates->periods, testing::ElementsAre(3, 0));
}

}  // namespace
}  // namespace kith
