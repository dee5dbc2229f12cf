#include "io/thread_matrices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kith/error.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

std::string matrix(const std::string& remark, const std::string& cells) {
  return "%%MatrixMarket matrix coordinate integer general\n% " + remark + "\n2 2 " + cells;
}

class ThreadMatricesTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    folder_.write("threads/" + name, text);
  }

  std::vector<ThreadMatrix> read() const {
    Trace trace;
    trace.path = folder_.path();
    trace.bytes = TrafficMatrixBuilder(12).build();
    std::vector<ThreadMatrix> found;
    visit_thread_matrices(trace, [&](const ThreadMatrix& one) { found.push_back(one); });
    return found;
  }

  TempDirectory folder_;
};

TEST_F(ThreadMatricesTest, ComeByRankWithTheirSamples) {
  write("11.mtx", matrix("how often; 2000 samples", "1\n1 2 250\n"));
  write("2.mtx", matrix("how often thread j touched a line", "1\n1 2 7\n"));
  write("12.mtx", matrix("", "1\n1 2 7\n"));  // no such rank
  write("2.txt", "");
  const auto found = read();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].rank, 2U);
  EXPECT_EQ(found[0].samples, 0U);
  EXPECT_EQ(found[1].rank, 11U);
  EXPECT_EQ(found[1].samples, 2000U);
  EXPECT_EQ(found[1].threads(), 2U);
  EXPECT_EQ(found[1].touches.total(false), 250U);
}

TEST_F(ThreadMatricesTest, WhatSynchronisesIsNotCalledSharing) {
  write("0.mtx", matrix("x; 2000 samples", "1\n1 2 199\n"));
  write("1.mtx", matrix("x; 2000 samples", "1\n1 2 200\n"));
  write("2.mtx", matrix("every access", "1\n1 2 199\n"));
  write("3.mtx", matrix("every access", "1\n1 2 200\n"));
  write("4.mtx", matrix("x; 0 samples", "0\n"));
  std::vector<bool> sharing;
  for (const ThreadMatrix& one : read()) sharing.push_back(one.is_sharing());
  EXPECT_EQ(sharing, (std::vector<bool>{false, true, false, true, false}));
}

TEST_F(ThreadMatricesTest, NoneWithoutTheFolderAndAnErrorForADamagedOne) {
  EXPECT_TRUE(read().empty());
  write("0.mtx", matrix("x", "1\n1 3 7\n"));
  EXPECT_THROW(read(), Error);
}

}  // namespace
}  // namespace kith
