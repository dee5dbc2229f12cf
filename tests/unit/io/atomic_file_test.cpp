#include "io/atomic_file.hpp"

#include <sys/stat.h>

#include <csignal>

#include "core/fd_writer.hpp"
#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const TempDirectory& dir) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()));
}

TEST(AtomicFile, NothingIsThereBeforeCommit) {
  const TempDirectory dir;
  dir.write("a", "old");
  {
    AtomicFile file(dir / "a");
    FdWriter out(file.fd());
    out.text("new");
    out.flush();
    EXPECT_EQ(content_of(dir / "a"), "old");
    EXPECT_EQ(files_in(dir), 2U);
  }
  EXPECT_EQ(content_of(dir / "a"), "old");
  EXPECT_EQ(files_in(dir), 1U) << "the temporary file is left";
  write_file_atomically(dir / "a", "new");
  EXPECT_EQ(content_of(dir / "a"), "new");
  EXPECT_EQ(files_in(dir), 1U);
}

TEST(AtomicFile, FollowsLinksAndKeepsPermissions) {
  const TempDirectory dir;
  dir.write("real", "old");
  fs::permissions(dir / "real", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", dir / "link");
  write_file_atomically(dir / "link", "new");
  EXPECT_TRUE(fs::is_symlink(dir / "link"));
  EXPECT_EQ(content_of(dir / "real"), "new");
  EXPECT_EQ(fs::status(dir / "real").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicFile, MakesWhatALinkLeadsTo) {
  const TempDirectory dir;
  fs::create_directory(dir / "below");
  fs::create_symlink("below/link", dir / "first");
  fs::create_symlink("real", dir / "below/link");
  write_file_atomically(dir / "first", "new");
  EXPECT_TRUE(fs::is_symlink(dir / "first"));
  EXPECT_TRUE(fs::is_symlink(dir / "below/link"));
  EXPECT_EQ(content_of(dir / "below/real"), "new");
  EXPECT_EQ(files_in(dir), 2U);
}

TEST(AtomicFile, LinksInACircleAreAnError) {
  const TempDirectory dir;
  fs::create_symlink("b", dir / "a");
  fs::create_symlink("a", dir / "b");
  expect_error([&] { write_file_atomically(dir / "a", "x"); }, {"cannot write", "a: Too many"},
               ErrorKind::environment);
  EXPECT_TRUE(fs::is_symlink(dir / "a"));
  EXPECT_EQ(files_in(dir), 2U);
}

TEST(AtomicFile, SignalsLeaveNoTemporary) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const TempDirectory dir;
    dir.write("a", "old");
    const auto interrupted = [&] {
      remove_temporaries_on_signals();
      AtomicFile done(dir / "b");
      done.commit();
      const AtomicFile file(dir / "a");
      const AtomicFile other(dir / "c");
      if (files_in(dir) == 4) std::raise(signal);
    };
    EXPECT_EXIT(interrupted(), testing::KilledBySignal(signal), "");
    EXPECT_EQ(files_in(dir), 2U) << signal;
    EXPECT_EQ(content_of(dir / "a"), "old");
  }
}

TEST(AtomicFile, DevicesAreWrittenNotReplaced) {
  write_file_atomically("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_error([] { write_file_atomically("/dev/full", "text"); }, {"cannot write /dev/full"},
               ErrorKind::environment);
}

TEST(AtomicFile, TroubleNamesTheFile) {
  const TempDirectory dir;
  expect_error([&] { write_file_atomically(dir.path(), "x"); }, {"cannot write", "directory"},
               ErrorKind::environment);
  expect_error([&] { write_file_atomically(dir / "no/a", "x"); }, {"cannot write", "no/a"},
               ErrorKind::environment);
}

}  // namespace
}  // namespace kith
