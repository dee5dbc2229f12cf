#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

Mapping mapping_of(std::vector<std::uint32_t> slots) {
  Mapping mapping;
  for (const auto s : slots) mapping.slot_of.push_back(Slot{s});
  return mapping;
}

TEST(MappingFile, RoundTrip) {
  const TempDirectory dir;
  write_mapping(dir / "m", mapping_of({2, 0, 1}), "tree:3", "0123456789abcdef");
  EXPECT_EQ(content_of(dir / "m"),
            "# kith mapping ranks=3 topology=tree:3 hosts=0123456789abcdef\n0 2\n1 0\n2 1\n");
  const MappingFile back = read_mapping(dir / "m");
  EXPECT_EQ(back.mapping, mapping_of({2, 0, 1}));
  EXPECT_EQ(back.topology, "tree:3");
  EXPECT_EQ(back.hosts, "0123456789abcdef");
}

TEST(MappingFile, SpecsWithBlanksComeBack) {
  const TempDirectory dir;
  for (const std::string spec : {"scotch:tleaf 3 4 100 2 10 8 1", "matrix:50% off\t.txt", "-",
                                 "hwloc:a\nb", "job;slots=0-7", "hwloc:/t\xc3\xa9/m.xml"}) {
    write_mapping(dir / "m", mapping_of({0}), spec, "");
    const MappingFile back = read_mapping(dir / "m");
    EXPECT_EQ(back.topology, spec);
    EXPECT_FALSE(back.hosts);
    EXPECT_THAT(content_of(dir / "m"), testing::EndsWith(" hosts=-\n0 0\n"));
  }
  write_mapping(dir / "m", mapping_of({0}), "", "");
  EXPECT_FALSE(read_mapping(dir / "m").topology);
}

TEST(MappingFile, AcceptsAnyOrderCommentsAndNoHeader) {
  const TempDirectory dir;
  const MappingFile file =
      read_mapping(dir.write("m", "# mine\r\n\n2\t5\r\n0 7 # the first\n  # in between\n1 5"));
  EXPECT_EQ(file.mapping, mapping_of({7, 5, 5}));
  EXPECT_FALSE(file.topology);
  EXPECT_FALSE(file.hosts);
}

TEST(MappingFile, BrokenFilesAreErrorsWithTheLine) {
  const TempDirectory dir;
  const std::vector<BrokenFile> broken{
      {"", {"m", "lines \"rank slot\"", "none"}},
      {"# kith mapping ranks=0\n", {"lines \"rank slot\"", "none"}},
      {"0 1\n0 2\n", {"m:2:", "each rank once (line 1", "rank 0 again"}},
      {"0 1\n2 2\n", {"m:2:", "each rank from 0 to 1", "2 lines", "rank 2"}},
      {"0\n", {"m:1:", "a slot", "end of the line"}},
      {"0 x\n", {"m:1:", "a slot", "\"x\""}},
      {"x 0\n", {"m:1:", "a rank", "\"x\""}},
      {"0 -1\n", {"m:1:", "a slot", "\"-1\""}},
      {"0 1 2\n", {"m:1:", "rank slot", "0 1 2"}},
      {"0 4294967295\n", {"m:1:", "a slot of at most 4294967294"}},
      {"# kith mapping ranks=3 topology=- hosts=-\n0 1\n1 2\n", {"m:1:", "ranks=2", "ranks=3"}},
      {"# kith mapping ranks=x\n0 1\n", {"m:1:", "number of ranks", "\"x\""}},
      {"# kith mapping ranks=1 stray\n0 1\n", {"m:1:", "NAME=VALUE", "stray"}},
      {"# kith mapping ranks=1 topology=a%2\n0 1\n", {"m:1:", "hexadecimal", "\"2\""}},
      {"# kith mapping ranks=1 topology=%zz\n0 1\n", {"m:1:", "hexadecimal", "zz"}},
      {"# kith mapping ranks=1\n# kith mapping ranks=1\n0 1\n", {"m:2:", "line 1", "another"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read_mapping(dir.write("m", file.content)); }, file.message_parts);
  }
  expect_error([&] { read_mapping(dir / "none"); }, {"none", "No such file"});
}

TEST(MappingFile, IsToldFromTraffic) {
  const TempDirectory dir;
  EXPECT_TRUE(is_mapping_file(dir.write("a", "# kith mapping ranks=1\n0 0\n")));
  EXPECT_TRUE(is_mapping_file(dir.write("b", "# mine\n\n0 3\n")));
  EXPECT_FALSE(is_mapping_file(dir.write("c.txt", "0 3\n3 0\n")));
  EXPECT_FALSE(is_mapping_file(dir.write("d", "0 3 1\n3 0 1\n1 1 0\n")));
  EXPECT_FALSE(is_mapping_file(dir.write("e", "%%MatrixMarket matrix\n")));
  EXPECT_FALSE(is_mapping_file(dir / "none"));
  EXPECT_FALSE(is_mapping_file(dir.path()));
}

}  // namespace
}  // namespace kith
