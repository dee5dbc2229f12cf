#include "machine/hwloc/hwloc_topology.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace kith {
namespace {

TEST(Trial, TellsEndsFromCrashes) {
  EXPECT_TRUE(survives([] {}));
  EXPECT_FALSE(survives([] { std::raise(SIGSEGV); }));
  EXPECT_FALSE(survives([] { std::abort(); }));
  EXPECT_FALSE(survives([] { _exit(1); }));
}

}  // namespace
}  // namespace kith
