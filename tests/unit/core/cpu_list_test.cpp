#include "core/cpu_list.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(CpuList, ComesBackAsItWasWritten) {
  for (const char* const text : {"0", "0-3,8", "1,3,5-6", "0-15,64-79", "1048576"}) {
    EXPECT_EQ(cpu_list_text(cpus_of_list(text)), text);
  }
  EXPECT_EQ(cpu_list_text(cpus_of_list("0-3,8"), '/'), "0-3/8");
  EXPECT_EQ(cpu_list_text({}), "");
}

TEST(CpuList, IsEmptyFromOtherText) {
  for (const char* const text :
       {"", "x", "3-1", "3,1", "0-3,2", "1,", ",1", "-1", "1-", "0-1048577", "0-3 ", "1-2-3"}) {
    EXPECT_TRUE(cpus_of_list(text).empty()) << text;
  }
}

}  // namespace
}  // namespace kith
