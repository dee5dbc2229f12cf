#include "core/file_content.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kith {
namespace {

TEST(FileContent, IsAllOfTheFile) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "large").string();
  const std::string large = "first\n" + std::string(3'000'000, 'x');  // a job of many hosts
  std::ofstream(path, std::ios::binary) << large;
  EXPECT_EQ(file_content(path), large);
  EXPECT_EQ(first_line_of(path), "first");
  std::filesystem::remove(path);
  EXPECT_EQ(file_content(path), "");
  EXPECT_EQ(first_line_of(path), "");
  EXPECT_FALSE(file_content("/proc/self/maps").empty()) << "its size is said to be 0";
}

}  // namespace
}  // namespace kith
