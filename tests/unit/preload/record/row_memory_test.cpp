#include "record/peer_table.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "record/peer_table.hpp"
#include "unit/test_files.hpp"

namespace kith::record {
namespace {

/// Rows are kept once per process: each test body runs in a child of its own.
template <class Body>
void in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    fflush(stdout);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

void count_to(std::uint32_t peers) {
  static PeerTable* const table = static_cast<PeerTable*>(std::calloc(1, sizeof(PeerTable)));
  for (std::uint32_t peer = 0; peer < peers; ++peer) {
    RowEntry* const entry = table->find_or_add(peer, RowDirection::sent);
    ASSERT_NE(entry, nullptr);
    entry->add(0, peer + 1);
  }
}

class RowMemory : public testing::Test {
 protected:
  RowFile file() const { return {(dir_ / "r").string(), 3, 8, 42}; }
  std::string content() const { return content_of(dir_ / "r"); }
  RowFileHeader& header(std::string& text) const {
    return *reinterpret_cast<RowFileHeader*>(text.data());
  }
  TempDirectory dir_;
};

TEST_F(RowMemory, CountersAreInTheFileWhenTheProcessIsGone) {
  in_child([&] {
    ASSERT_EQ(keep_rows_in(file()), "");
    count_to(5);
  });
  std::string text = content();
  ASSERT_EQ(text.size(), row_chunk_bytes);
  EXPECT_EQ(header(text).magic, row_file_magic);
  EXPECT_EQ(header(text).rank, 3U);
  EXPECT_EQ(header(text).run, 42U);
  EXPECT_EQ(header(text).incomplete, 0U);
  const auto* const block = reinterpret_cast<const RowBlock*>(text.data() + sizeof(RowFileHeader));
  EXPECT_EQ(block->magic, row_block_magic);
  EXPECT_EQ(block->used, 5U);
  EXPECT_EQ(block->entries()[4].peer, 4U);
  EXPECT_EQ(block->entries()[4].bytes[0], 5U);
}

TEST_F(RowMemory, AFewThousandPeersTakeLessThanAMegabyte) {
  in_child([&] {
    ASSERT_EQ(keep_rows_in(file()), "");
    count_to(5000);
  });
  const std::string text = content();
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  EXPECT_EQ(text.size() % row_chunk_bytes, 0U);
}

TEST_F(RowMemory, WithoutPlaceRowsArePrivateAndTheFileSaysSo) {
  in_child([&] {
    ASSERT_EQ(keep_rows_in(file()), "");
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);  // would raise SIGXFSZ
    count_to(5000);
  });
  std::string text = content();
  EXPECT_EQ(text.size(), row_chunk_bytes);
  EXPECT_EQ(header(text).incomplete, 1U);
}

TEST_F(RowMemory, AFileThatCannotBeMadeIsAReason) {
  in_child([&] {
    EXPECT_NE(keep_rows_in({(dir_ / "absent/r").string(), 0, 1, 1}), "");
    dir_.write("r", "precious");
    EXPECT_NE(keep_rows_in(file()), "");
    EXPECT_EQ(content(), "precious");
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    RowFile other = file();
    other.path += "2";
    EXPECT_NE(keep_rows_in(other), "");
    EXPECT_FALSE(std::filesystem::exists(other.path));
    count_to(100);
  });
}

TEST_F(RowMemory, OnlyItsOwnFileGrowsAndIsRemoved) {
  in_child([&] {
    ASSERT_EQ(keep_rows_in(file()), "");
    std::filesystem::remove(dir_ / "r");
    dir_.write("r", "another's");
    count_to(5000);
    remove_row_file();
    EXPECT_EQ(content(), "another's");
  });
  std::filesystem::remove(dir_ / "r");
  in_child([&] {
    ASSERT_EQ(keep_rows_in(file()), "");
    count_to(10);
    in_child([&] {
      count_to(5000);  // as a forked child would, were it allowed to count
      remove_row_file();
    });
    EXPECT_EQ(content().size(), row_chunk_bytes) << "the child let its parent's file grow";
    remove_row_file();
    EXPECT_FALSE(std::filesystem::exists(dir_ / "r"));
    count_to(5000);
  });
}

}  // namespace
}  // namespace kith::record
