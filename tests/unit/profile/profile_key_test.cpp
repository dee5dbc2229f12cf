#include "profile/profile.hpp"

#include <gmock/gmock.h>

namespace kith {
namespace {

ProgramIdentity app(std::vector<std::string> arguments = {"-n", "10"}, std::string path = "/a/app",
                    std::uint32_t ranks = 16, std::string build = "b1") {
  return {{ranks, std::move(path), std::move(build), std::move(arguments)}};
}

std::string name(const ProgramIdentity& identity, const ProfileSettings& settings = {}) {
  return key_of(identity, settings).name;
}

TEST(ProfileKey, TellsProgramArgumentsAndRanks) {
  const ProfileKey key = key_of(app(), {});
  EXPECT_THAT(key.name, ::testing::MatchesRegex("app-16-[0-9a-f]+"));
  EXPECT_EQ(key.program, "/a/app");
  EXPECT_EQ(key.arguments, "-n 10");
  EXPECT_EQ(key.ranks, 16U);
  EXPECT_EQ(name(app()), name(app()));
  EXPECT_NE(name(app()), name(app({"-n", "11"})));
  EXPECT_NE(name(app()), name(app({"-n10"})));
  EXPECT_NE(name(app({"a b"})), name(app({"a", "b"})));
  EXPECT_NE(name(app()), name(app({"-n", "10"}, "/b/app")));
  EXPECT_NE(name(app()), name(app({"-n", "10"}, "/a/app", 8)));
}

TEST(ProfileKey, ARebuiltProgramKeepsItsName) {
  const ProfileKey before = key_of(app(), {});
  const ProfileKey after = key_of(app({"-n", "10"}, "/a/app", 16, "b2"), {});
  EXPECT_EQ(before.name, after.name);
  EXPECT_EQ(before.work, after.work);
  EXPECT_NE(before.build, after.build);
}

TEST(ProfileKey, ACopyDoesTheSameWork) {
  const ProfileKey here = key_of(app(), {});
  const ProfileKey there = key_of(app({"-n", "10"}, "/elsewhere/app"), {});
  EXPECT_NE(here.name, there.name);
  EXPECT_EQ(here.work, there.work);
  EXPECT_EQ(here.build, there.build);
}

TEST(ProfileKey, ArgumentsThatCount) {
  ProfileSettings none;
  none.arguments = 0;
  EXPECT_EQ(name(app({"x"}), none), name(app({"y", "z"}), none));
  ProfileSettings first;
  first.arguments = 1;
  EXPECT_EQ(name(app({"x", "1"}), first), name(app({"x", "2"}), first));
  EXPECT_NE(name(app({"x", "1"}), first), name(app({"y", "1"}), first));
  EXPECT_EQ(key_of(app({"x", "1"}), first).arguments, "x");
}

std::optional<std::vector<std::uint32_t>> differing(const ProgramIdentity& known,
                                                    const ProgramIdentity& run) {
  return differing_arguments(key_of(known, {}), key_of(run, {}));
}

TEST(ProfileKey, ArgumentsThatDiffer) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  using ::testing::Optional;
  EXPECT_THAT(differing(app({"x", "out.1"}), app({"x", "out.2"})), Optional(ElementsAre(1)));
  EXPECT_THAT(differing(app({"x", "1", "a"}), app({"y", "1", "b"})), Optional(ElementsAre(0, 2)));
  EXPECT_THAT(differing(app(), app()), Optional(IsEmpty()));
  EXPECT_THAT(differing(app(), app({"-n", "10"}, "/copy/app")), Optional(IsEmpty()));
  EXPECT_EQ(differing(app({"x"}), app({"x", "y"})), std::nullopt) << "another number of them";
  EXPECT_EQ(differing(app(), app({"-n", "10"}, "/a/other")), std::nullopt);
  EXPECT_EQ(differing(app(), app({"-n", "10"}, "/a/app", 8)), std::nullopt);
  EXPECT_EQ(differing(app(), app({"-n", "10"}, "/a/app", 16, "b2")), std::nullopt) << "rebuilt";
  EXPECT_EQ(differing(app({}), app({})), std::nullopt) << "none";
  ProfileSettings named;
  named.name = "mine";
  EXPECT_EQ(differing_arguments(key_of(app({"x"}), named), key_of(app({"y"}), named)),
            std::nullopt);
  ProfileKey known = key_of(app({"x", "out.1"}), {});
  known.free_arguments = {1};
  EXPECT_THAT(differing_arguments(known, key_of(app({"x", "out.2"}), {})), Optional(IsEmpty()));
  EXPECT_THAT(differing_arguments(known, key_of(app({"y", "out.2"}), {})),
              Optional(ElementsAre(0)));
  const std::vector<std::string> many(100, "x");
  EXPECT_EQ(differing(app(many), app(many)), std::nullopt) << "too many";
}

TEST(ProfileKey, AScriptIsTheProgram) {
  using ::testing::ElementsAre;
  using ::testing::Optional;
  const auto python = [](std::vector<std::string> arguments) {
    return app(std::move(arguments), "/usr/bin/python3.11");
  };
  EXPECT_EQ(differing(python({"-u", "a.py", "1"}), python({"-u", "b.py", "1"})), std::nullopt);
  EXPECT_THAT(differing(python({"a.py", "1"}), python({"a.py", "2"})), Optional(ElementsAre(1)));
  EXPECT_THAT(differing(app({"a.py"}, "/a/pythonic"), app({"b.py"}, "/a/pythonic")),
              Optional(ElementsAre(0)));
}

TEST(ProfileKey, PositionsInWords) {
  EXPECT_EQ(positions_text({0}), "argument 1");
  EXPECT_EQ(positions_text({0, 3}), "arguments 1 and 4");
  EXPECT_EQ(positions_text({0, 3, 5}), "arguments 1, 4 and 6");
}

TEST(ProfileKey, NamedOutright) {
  ProfileSettings settings;
  settings.name = "mine";
  EXPECT_THAT(name(app(), settings), ::testing::StartsWith("mine-16-"));
  EXPECT_EQ(name(app(), settings), name(app({}, "/other/program"), settings));
  EXPECT_NE(name(app(), settings), name(app({}, "/a/app", 8), settings));
}

TEST(ProfileKey, SeveralPrograms) {
  const ProgramIdentity two{{4, "/a/ocean", "o", {}}, {12, "/a/air", "a", {"x"}}};
  const ProgramIdentity turned{{12, "/a/air", "a", {"x"}}, {4, "/a/ocean", "o", {}}};
  EXPECT_THAT(name(two), ::testing::StartsWith("ocean-16-"));
  EXPECT_EQ(key_of(two, {}).program, "/a/ocean : /a/air");
  EXPECT_NE(key_of(two, {}).work, key_of(turned, {}).work);
}

TEST(ProfileKey, HostileNamesAreHarmless) {
  const std::vector<std::string> paths{"/a/../..", "/a/x\ny", "/a/.hidden",  "/a/-rf",
                                       "",         "/",       "/a/\xff\xfe", "/a/a b;rm -rf *"};
  for (const std::string& path : paths) {
    EXPECT_TRUE(is_profile_name(name(app({}, path)))) << path;
  }
  ProfileSettings settings;
  settings.name = "../../etc/passwd";
  EXPECT_TRUE(is_profile_name(name(app(), settings)));
  EXPECT_NE(name(app({}, "/a/x y")), name(app({}, "/a/x_y")));
  EXPECT_TRUE(is_profile_name(name(app({}, "/" + std::string(5000, 'x')))));
  EXPECT_LE(key_of(app({std::string(100000, 'y')}), {}).arguments.size(), 1000U);
}

TEST(ProfileKey, WhatIsNoName) {
  for (const char* const no : {"", ".", "..", "a/b", ".a", "-a", "a\n", "a b"}) {
    EXPECT_FALSE(is_profile_name(no)) << no;
  }
  EXPECT_FALSE(is_profile_name(std::string(200, 'a')));
}

}  // namespace
}  // namespace kith
