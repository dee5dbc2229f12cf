#include "machine/network/host_network.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kith {
namespace {

using Names = std::vector<std::string>;

TEST(HostNamesTest, FindsQualifiedAndShortNames) {
  const HostNames names(Names{"n1.cluster.org", "n2", "n3.a", "n3.b", "n4", "n4.b"});
  EXPECT_EQ(names.find("n1.cluster.org"), 0U);
  EXPECT_EQ(names.find("n1"), 0U);
  EXPECT_EQ(names.find("n2.cluster.org"), 1U);
  EXPECT_EQ(names.find("n1.elsewhere"), std::nullopt) << "another host of that name";
  EXPECT_EQ(names.find("n3"), std::nullopt) << "two could be meant";
  EXPECT_EQ(names.find("n3.b"), 3U);
  EXPECT_EQ(names.find("n4"), 4U);
  EXPECT_EQ(names.find("n5"), std::nullopt);
  EXPECT_EQ(names.find(""), std::nullopt);
}

TEST(HostNamesTest, AddressesHaveNoShortName) {
  const HostNames names(Names{"10.0.0.1", "11"});
  EXPECT_EQ(names.find("10"), std::nullopt);
  EXPECT_EQ(names.find("11.0.0.1"), std::nullopt);
  EXPECT_EQ(names.find("10.0.0.1"), 0U);
}

TEST(HostNamesTest, OfEqualNamesTheFirstCounts) {
  EXPECT_EQ(HostNames(Names{"a", "a"}).find("a"), 0U);
}

}  // namespace
}  // namespace kith
