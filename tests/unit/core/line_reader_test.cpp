#include "core/line_reader.hpp"

#include <sys/stat.h>

#include <thread>

#include "unit/test_files.hpp"

namespace kith {
namespace {

std::vector<std::string> lines_of(LineReader& in) {
  std::vector<std::string> lines;
  std::string_view line;
  while (in.next(line)) lines.emplace_back(line);
  return lines;
}

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  const TempDirectory dir;
  LineReader in(dir.write("a", "one\r\n\ntwo\nthree"));
  EXPECT_THAT(lines_of(in), testing::ElementsAre("one", "", "two", "three"));
  EXPECT_EQ(in.line(), 4U);
  EXPECT_EQ(in.bytes(), 15U);
  LineReader empty(dir.write("b", ""));
  EXPECT_TRUE(lines_of(empty).empty());
  LineReader ended(dir.write("c", "x\n"));
  EXPECT_THAT(lines_of(ended), testing::ElementsAre("x"));
}

TEST(LineReader, HeadDoesNotMoveTheReader) {
  const TempDirectory dir;
  LineReader in(dir.write("a", "one\ntwo\n"));
  EXPECT_EQ(in.head(), "one\ntwo\n");
  EXPECT_THAT(lines_of(in), testing::ElementsAre("one", "two"));
}

TEST(LineReader, LinesLongerThanTheBufferWork) {
  const TempDirectory dir;
  const std::string longest(5'000'000, 'x');
  LineReader in(dir.write("a", "short\n" + longest + "\nend\n"));
  const auto lines = lines_of(in);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], longest);
  EXPECT_EQ(lines[2], "end");
}

TEST(LineReader, ManyLinesCrossTheBufferWhole) {
  const TempDirectory dir;
  std::string content;
  for (int i = 0; i < 400'000; ++i) content += std::to_string(i) + "\n";
  LineReader in(dir.write("a", content));
  std::string_view line;
  for (int i = 0; i < 400'000; ++i) {
    ASSERT_TRUE(in.next(line));
    ASSERT_EQ(line, std::to_string(i));
  }
  EXPECT_FALSE(in.next(line));
}

TEST(LineReader, ReadsPipes) {
  const TempDirectory dir;
  const auto path = dir / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "1 2\n3 4\n"; });
  LineReader in(path);
  EXPECT_THAT(lines_of(in), testing::ElementsAre("1 2", "3 4"));
  EXPECT_FALSE(in.bytes());
  writer.join();
}

TEST(LineReader, SkipsAByteOrderMark) {
  const TempDirectory dir;
  LineReader in(dir.write("a", "\xEF\xBB\xBFone\ntwo\n"));
  EXPECT_EQ(in.head(), "one\ntwo\n");
  EXPECT_EQ(in.bytes(), 8U);
  EXPECT_THAT(lines_of(in), testing::ElementsAre("one", "two"));
  LineReader only(dir.write("b", "\xEF\xBB\xBF"));
  EXPECT_TRUE(lines_of(only).empty());
  LineReader part(dir.write("c", "\xEF\xBB"));
  EXPECT_THAT(lines_of(part), testing::ElementsAre("\xEF\xBB"));
}

TEST(LineReader, ANulIsAnErrorOfItsLine) {
  const TempDirectory dir;
  LineReader in(dir.write("a", std::string_view("one\ntw\0o\nthree\n", 15)));
  EXPECT_EQ(in.head().size(), 15U);
  std::string_view line;
  EXPECT_TRUE(in.next(line));
  EXPECT_EQ(line, "one");
  expect_error([&] { in.next(line); }, {"a:2: expected text, found a NUL byte"});
  // Far behind the first buffer, and at once: what follows is not read.
  const auto large = dir.write("b", std::string(3'000'000, 'x'));
  std::filesystem::resize_file(large, std::uint64_t{1} << 40);
  LineReader sparse(large);
  expect_error([&] { sparse.next(line); }, {"b:1: expected text, found a NUL byte"});
  LineReader device("/dev/zero");
  expect_error([&] { device.next(line); }, {"/dev/zero:1: expected text, found a NUL byte"});
}

TEST(LineReader, LinesMayBeLimited) {
  const TempDirectory dir;
  const auto file = dir.write("a", "1234\n12345\n");
  std::string_view line;
  LineReader in(file);
  in.limit_lines(4);
  EXPECT_TRUE(in.next(line));
  expect_error([&] { in.next(line); }, {"a:2: expected a line of at most 4 bytes"});
  LineReader endless(dir.write("b", std::string(5'000'000, 'x')));
  endless.limit_lines(LineReader::short_line);
  expect_error([&] { endless.next(line); }, {"b:1: expected a line of at most 1048576 bytes"});
}

TEST(LineReader, UnreadableFilesAreErrors) {
  const TempDirectory dir;
  expect_error([&] { LineReader(dir / "none"); }, {"none: expected a readable file", "No such"});
  expect_error([&] { LineReader(dir.path()); }, {"expected a readable file", "directory"});
}

TEST(LineReader, ErrorsNameTheLine) {
  const TempDirectory dir;
  LineReader in(dir.write("a", "x\ny\n"));
  std::string_view line;
  in.next(line);
  in.next(line);
  EXPECT_STREQ(in.error("a", "b").what(),
               ((dir / "a").string() + ":2: expected a, found b").c_str());
}

TEST(Words, SplitAtBlanks) {
  Words words(" \tone  two\t");
  EXPECT_EQ(words.next(), "one");
  EXPECT_EQ(words.next(), "two");
  EXPECT_EQ(words.next(), "");
  EXPECT_EQ(words.next(), "");
  EXPECT_TRUE(is_blank(" \t "));
  EXPECT_FALSE(is_blank(" x "));
}

TEST(InQuotes, KeepsMessagesShortAndPrintable) {
  EXPECT_EQ(in_quotes("a b"), "\"a b\"");
  EXPECT_EQ(in_quotes(std::string_view("\x01\xff", 2)), "\"\\x01\\xff\"");
  EXPECT_EQ(in_quotes(std::string(100, 'y')), "\"" + std::string(40, 'y') + "...\"");
}

}  // namespace
}  // namespace kith
