#include "io/format/mtx_writer.hpp"

#include <fcntl.h>

#include "unit/test_files.hpp"

namespace kith {
namespace {

class MtxWriterTest : public testing::Test {
 protected:
  MtxWriterTest() : fd_(::open((dir_ / "m").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)) {}
  ~MtxWriterTest() override { ::close(fd_); }
  TempDirectory dir_;
  int fd_;
};

TEST_F(MtxWriterTest, WritesHeaderCommentAndEntries) {
  MtxWriter out(fd_, 3, 2, MtxSymmetry::general, "by hand\ntwo lines");
  out.entry(0, 2, 18446744073709551615ULL);
  out.entry(2, 1, 0);
  EXPECT_TRUE(out.finish());
  EXPECT_EQ(out.error(), "");
  EXPECT_EQ(content_of(dir_ / "m"),
            "%%MatrixMarket matrix coordinate integer general\n% by hand\n% two lines\n3 3 2\n"
            "1 3 18446744073709551615\n3 2 0\n");
}

TEST_F(MtxWriterTest, SymmetricHoldsTheLowerTriangle) {
  MtxWriter out(fd_, 3, 1, MtxSymmetry::symmetric);
  out.entry(2, 0, 5);
  EXPECT_TRUE(out.finish());
  EXPECT_EQ(content_of(dir_ / "m"),
            "%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n3 1 5\n");
}

TEST_F(MtxWriterTest, BrokenPromisesShow) {
  MtxWriter few(fd_, 3, 2, MtxSymmetry::general);
  few.entry(0, 1, 1);
  EXPECT_FALSE(few.finish());
  EXPECT_EQ(few.error(), "2 entries were announced and 1 written");
  MtxWriter outside(fd_, 3, 1, MtxSymmetry::general);
  outside.entry(3, 0, 1);
  EXPECT_FALSE(outside.finish());
  EXPECT_NE(outside.error(), "");
  MtxWriter above(fd_, 3, 1, MtxSymmetry::symmetric);
  above.entry(0, 1, 1);
  EXPECT_FALSE(above.finish());
}

TEST_F(MtxWriterTest, FailedWritesShow) {
  const int full = ::open("/dev/full", O_WRONLY);
  MtxWriter out(full, 1000, 100000, MtxSymmetry::general);
  for (std::uint32_t i = 0; i < 100000; ++i) out.entry(i % 1000, i / 1000, i);
  EXPECT_FALSE(out.finish());
  EXPECT_THAT(out.error(), testing::HasSubstr("No space left"));
  ::close(full);
}

TEST_F(MtxWriterTest, LargeFilesCrossTheBufferWhole) {
  std::string truth = "%%MatrixMarket matrix coordinate integer general\n500 500 250000\n";
  MtxWriter out(fd_, 500, 250000, MtxSymmetry::general);
  std::uint64_t weight = 1;
  for (std::uint32_t r = 0; r < 500; ++r) {
    for (std::uint32_t c = 0; c < 500; ++c) {
      weight = weight * 6364136223846793005ULL + 1442695040888963407ULL;
      const std::uint64_t w = weight >> (r % 60);
      out.entry(r, c, w);
      truth += std::to_string(r + 1) + " " + std::to_string(c + 1) + " " + std::to_string(w) + "\n";
    }
  }
  EXPECT_TRUE(out.finish());
  EXPECT_TRUE(content_of(dir_ / "m") == truth);
}

}  // namespace
}  // namespace kith
