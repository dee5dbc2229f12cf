#include "profile/profile.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "kith/io.hpp"
#include "unit/profile/profile_samples.hpp"

namespace kith {
namespace {

TEST(ProfileFile, RoundTrip) {
  const TempDirectory folder;
  Profile written = sample_profile();
  written.key.arguments = "two\nlines \"and\" % signs";
  written.history.reordered = 2;
  written.history.renewed = 1;
  written.history.predicted = 0.375;
  written.history.measured = 1.0 / 3;
  written.history.seconds = 10.25;
  written.history.layout = "0123456789abcdef";
  written.history.slower = 2;
  written.history.waited = 5;
  written.history.bytes = 70;
  written.history.bytes_reordered = 90;
  write_profile(folder / "p.mtx", written);
  const Profile read = read_profile(folder / "p.mtx", 4);
  EXPECT_EQ(read.key.name, written.key.name);
  EXPECT_EQ(read.key.program, "/bin/app");
  EXPECT_EQ(read.key.arguments, "two lines \"and\" % signs");
  EXPECT_EQ(read.key.work, written.key.work);
  EXPECT_EQ(read.key.build, written.key.build);
  EXPECT_EQ(read.key.ranks, 4U);
  EXPECT_EQ(read.history.runs, 3U);
  EXPECT_EQ(read.history.reordered, 2U);
  EXPECT_EQ(read.history.renewed, 1U);
  EXPECT_EQ(read.history.first_seen, 1000U);
  EXPECT_EQ(read.history.last_seen, 2000U);
  EXPECT_EQ(read.history.predicted, written.history.predicted);
  EXPECT_EQ(read.history.measured, written.history.measured);
  EXPECT_EQ(read.history.seconds, 10.25);
  EXPECT_EQ(read.history.seconds_reordered, std::nullopt);
  EXPECT_EQ(read.history.layout, "0123456789abcdef");
  EXPECT_EQ(read.history.slower, 2U);
  EXPECT_EQ(read.history.waited, 5U);
  EXPECT_EQ(read.history.bytes, 70U);
  EXPECT_EQ(read.history.bytes_reordered, 90U);
  EXPECT_TRUE(same(read.traffic, written.traffic));
  EXPECT_EQ(read_profile_header(folder / "p.mtx").history.predicted, 0.375);
}

TEST(ProfileFile, OfVersion5TheBytesAreThoseOfBothRuns) {
  const TempDirectory folder;
  Profile written = sample_profile();
  written.history.bytes = 70;
  written.history.bytes_reordered = 90;
  write_profile(folder / "p.mtx", written);
  std::string text = content_of(folder / "p.mtx");
  const std::size_t version = text.find(" 6\n");
  ASSERT_NE(version, std::string::npos);
  text.replace(version, 3, " 5\n");
  const std::size_t line = text.find("% bytes_reordered");
  ASSERT_NE(line, std::string::npos);
  text.erase(line, text.find('\n', line) + 1 - line);
  const ProfileHistory history = read_profile_header(folder.write("old.mtx", text)).history;
  EXPECT_EQ(history.bytes, 70U);
  EXPECT_EQ(history.bytes_reordered, 70U);
}

TEST(ProfileFile, IsAMatrixThatOthersRead) {
  const TempDirectory folder;
  write_profile(folder / "p.mtx", sample_profile());
  EXPECT_TRUE(same(read_matrix(folder / "p.mtx"), ring(4, 1U << 20U)));
}

TEST(ProfileFile, EveryDamageIsFound) {
  const TempDirectory folder;
  write_profile(folder / "p.mtx", sample_profile());
  const std::string whole = content_of(folder / "p.mtx");
  for (std::size_t size = 0; size < whole.size() - 1; ++size) {
    EXPECT_THROW(read_profile(folder.write("cut.mtx", whole.substr(0, size)), 4), Error) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = changed[at] == '7' ? '8' : '7';
    EXPECT_THROW(read_profile(folder.write("bad.mtx", changed), 4), Error) << at << "\n" << changed;
  }
}

TEST(ProfileFile, IsOfAsManyRanksAsAreAskedFor) {
  const TempDirectory folder;
  write_profile(folder / "p.mtx", sample_profile());
  EXPECT_THROW(read_profile(folder / "p.mtx", 5), Error);
  // More than there is memory for: never taken.
  std::string whole = content_of(folder / "p.mtx");
  whole.replace(whole.find("\n4 4 "), 5, "\n4000000000 4000000000 ");
  EXPECT_THROW(read_profile(folder.write("large.mtx", whole), 4), Error);
}

TEST(ProfileFile, WhatIsNone) {
  const TempDirectory folder;
  const std::vector<std::string> contents{
      "", "x", std::string(100, '\0'), "%%MatrixMarket matrix coordinate integer general\n2 2 0\n",
      "%%MatrixMarket matrix coordinate integer general\n% kith profile 3\n"};
  for (const std::string& content : contents) {
    EXPECT_THROW(read_profile(folder.write("no.mtx", content), 4), Error) << content;
    EXPECT_THROW(read_profile_header(folder.write("no.mtx", content)), Error) << content;
  }
  EXPECT_THROW(read_profile(folder / "absent.mtx", 4), Error);
  EXPECT_THROW(read_profile(folder.path(), 4), Error);
  ASSERT_EQ(::mkfifo((folder / "pipe.mtx").c_str(), 0600), 0);
  EXPECT_THROW(read_profile(folder / "pipe.mtx", 4), Error);  // and does not wait for a writer
}

}  // namespace
}  // namespace kith
