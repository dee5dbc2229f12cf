#include "profile/profile.hpp"

#include <gmock/gmock.h>

#include <map>

namespace kith {
namespace {

ProfileSettings read(const std::map<std::string, std::string>& variables) {
  return read_profile_settings([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(ProfileSettings, HomeIsTheFirstThatIsKnown) {
  EXPECT_EQ(read({{"KITH_HOME", "/k"}, {"XDG_STATE_HOME", "/s"}, {"HOME", "/h"}}).home, "/k");
  EXPECT_EQ(read({{"XDG_STATE_HOME", "/s"}, {"HOME", "/h"}}).home, "/s/kith");
  EXPECT_EQ(read({{"XDG_STATE_HOME", "relative"}, {"HOME", "/h"}}).home, "/h/.local/state/kith");
  EXPECT_EQ(read({{"HOME", "relative"}}).home, "");
  EXPECT_EQ(read({}).home, "");
  EXPECT_EQ(read({{"KITH_HOME", "below/../here"}}).home, std::filesystem::current_path() / "here");
}

TEST(ProfileSettings, Bounds) {
  EXPECT_EQ(read({}).most_profiles, 100U);
  EXPECT_EQ(read({}).most_bytes, 256U << 20U);
  EXPECT_EQ(read({{"KITH_PROFILE_COUNT", "7"}}).most_profiles, 7U);
  EXPECT_EQ(read({{"KITH_PROFILE_BYTES", "3"}}).most_bytes, 3U);
  EXPECT_EQ(read({{"KITH_PROFILE_BYTES", "3K"}}).most_bytes, 3U << 10U);
  EXPECT_EQ(read({{"KITH_PROFILE_BYTES", "3G"}}).most_bytes, std::uint64_t{3} << 30U);
}

TEST(ProfileSettings, ArgumentsThatCount) {
  EXPECT_EQ(read({}).arguments, std::nullopt);
  EXPECT_EQ(read({{"KITH_PROFILE_ARGS", "all"}}).arguments, std::nullopt);
  EXPECT_EQ(read({{"KITH_PROFILE_ARGS", "none"}}).arguments, 0U);
  EXPECT_EQ(read({{"KITH_PROFILE_ARGS", "2"}}).arguments, 2U);
}

TEST(ProfileSettings, BadValuesAreWarningsAndDefaults) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"KITH_PROFILE_COUNT", "0"},
                                          {"KITH_PROFILE_BYTES", "12Q"},
                                          {"KITH_PROFILE_BYTES ", "99999999999G"},
                                          {"KITH_PROFILE_ARGS", "some"}}) {
    const std::string variable = name.substr(0, name.find(' '));
    const ProfileSettings settings = read({{variable, value}});
    ASSERT_EQ(settings.warnings.size(), 1U) << value;
    EXPECT_THAT(settings.warnings[0], ::testing::HasSubstr(variable + ": expected"));
    EXPECT_THAT(settings.warnings[0], ::testing::HasSubstr("found " + value));
    EXPECT_EQ(settings.most_profiles, 100U);
    EXPECT_EQ(settings.most_bytes, 256U << 20U);
    EXPECT_EQ(settings.arguments, std::nullopt);
  }
}

}  // namespace
}  // namespace kith
