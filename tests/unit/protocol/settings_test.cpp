#include "protocol/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace kith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::UnorderedElementsAre;

class SettingsTest : public ::testing::Test {
 protected:
  void set(const char* name, const char* value) {
    setenv(name, value, 1);
    names_.emplace_back(name);
  }
  void TearDown() override {
    for (const auto& name : names_) unsetenv(name.c_str());
  }

 private:
  std::vector<std::string> names_;
};

TEST_F(SettingsTest, DefaultsWithoutVariables) {
  const Settings settings = read_settings();
  EXPECT_TRUE(settings.trace.empty());
  EXPECT_DOUBLE_EQ(settings.min_gain, 0.02);
  EXPECT_TRUE(settings.keep_rank0);
  EXPECT_EQ(settings.collectives, CollectiveSource::best);
  EXPECT_THAT(settings.warnings, IsEmpty());
}

TEST_F(SettingsTest, ReadsEveryVariable) {
  set("KITH_TRACE", "a");
  set("KITH_FORCE", "1");
  set("KITH_PARTIAL", "0");
  set("KITH_REORDER", "b");
  set("KITH_ALGORITHM", "scotch");
  set("KITH_TOPOLOGY", "tree:2x2");
  set("KITH_NETWORK", "hosts.net");
  set("KITH_MIN_GAIN", "5%");
  set("KITH_KEEP_RANK0", "0");
  set("KITH_COLLECTIVES", "off");
  set("KITH_VERBOSE", "3");
  set("KITH_BUDGET", "2.5s");
  const Settings settings = read_settings();
  EXPECT_EQ(settings.trace, "a");
  EXPECT_TRUE(settings.force);
  EXPECT_FALSE(settings.partial);
  EXPECT_EQ(settings.reorder, "b");
  EXPECT_EQ(settings.algorithm, "scotch");
  EXPECT_EQ(settings.topology, "tree:2x2");
  EXPECT_EQ(settings.network, "hosts.net");
  EXPECT_DOUBLE_EQ(settings.min_gain, 0.05);
  EXPECT_FALSE(settings.keep_rank0);
  EXPECT_EQ(settings.collectives, CollectiveSource::off);
  EXPECT_EQ(settings.verbose, 3);
  EXPECT_NEAR(static_cast<double>(settings.budget.count()), 2500, 1);
  EXPECT_THAT(settings.warnings, IsEmpty());
}

TEST_F(SettingsTest, AnOldNameIsReadWithAWarning) {
  set("KITH_TOPOLOGIES", "off");
  Settings settings = read_settings();
  EXPECT_THAT(settings.topologies, Optional(false));
  EXPECT_THAT(settings.warnings, ElementsAre(HasSubstr("now called KITH_REORDER_TOPOLOGIES")));
  set("KITH_REORDER_TOPOLOGIES", "on");  // the new name counts, whatever the old one says
  settings = read_settings();
  EXPECT_THAT(settings.topologies, Optional(true));
  EXPECT_THAT(settings.warnings, IsEmpty());
}

TEST_F(SettingsTest, ABadValueIsAWarningAndTheDefault) {
  set("KITH_MIN_GAIN", "lots");
  set("KITH_KEEP_RANK0", "maybe");
  set("KITH_VERBOSE", "4");
  set("KITH_COLLECTIVES", "perfect");
  set("KITH_BUDGET", "-1");
  const Settings settings = read_settings();
  EXPECT_DOUBLE_EQ(settings.min_gain, 0.02);
  EXPECT_TRUE(settings.keep_rank0);
  EXPECT_EQ(settings.verbose, 1);
  EXPECT_EQ(settings.collectives, CollectiveSource::best);
  EXPECT_THAT(settings.warnings,
              ElementsAre(HasSubstr("KITH_MIN_GAIN"), HasSubstr("KITH_KEEP_RANK0"),
                          HasSubstr("KITH_BUDGET: expected a time from 1ms to 24h, such as 0.5, "
                                    "500ms or 2min, found -1; as if it "
                                    "were not set: 30"),
                          HasSubstr("KITH_COLLECTIVES"), HasSubstr("KITH_VERBOSE")));
}

TEST_F(SettingsTest, TimesHaveUnits) {
  using std::chrono::milliseconds;
  for (const auto& [text, time] :
       {std::pair{"250ms", milliseconds(250)}, std::pair{"2s", milliseconds(2000)},
        std::pair{"0.5", milliseconds(500)}, std::pair{"2min", milliseconds(120000)},
        std::pair{"1h", milliseconds(3600000)}}) {
    set("KITH_WINDOW", text);
    const Settings settings = read_settings();
    EXPECT_EQ(settings.window, time) << text;
    EXPECT_THAT(settings.warnings, testing::IsEmpty()) << text;
  }
  set("KITH_WINDOW", "0.5ms");
  EXPECT_THAT(read_settings().warnings, ElementsAre(HasSubstr("from 1ms to 24h")));
}

TEST_F(SettingsTest, AMistypedNameIsNoticed) {
  set("KITH_REORDR", "auto");
  set("KITH_TARCE", "run");
  set("KITH_SOURCE", "/opt/kith");  // somebody's own, and KITH_FORCE is two letters away
  set("KITH_LIB", "libkith.so");
  const Settings settings = read_settings();
  EXPECT_THAT(settings.reorder, IsEmpty());
  EXPECT_THAT(settings.warnings,
              UnorderedElementsAre(HasSubstr("KITH_REORDR is no setting of Kith"),
                                   HasSubstr("did you mean KITH_TRACE?")));
}

}  // namespace
}  // namespace kith
