#include "mapping/registry.hpp"

#include <gmock/gmock.h>

#include "kith/error.hpp"

namespace kith {
namespace {

class SetMapper final : public Mapper {
 public:
  std::string_view name() const override { return "set"; }
  std::string_view summary() const override { return ""; }
  std::string_view source() const override { return ""; }
  std::span<const MapperSetting> settings() const override {
    static constexpr MapperSetting all[] = {
        {"depth", "3", ""}, {"share", "0.5", ""}, {"swaps", "on", ""}, {"order", "first", ""}};
    return all;
  }
  Answer map(const MapTask&) const override { return {}; }
};

MapOptions given(std::string name, std::string value) {
  MapOptions options;
  options.settings = {{std::move(name), std::move(value)}};
  return options;
}

TEST(Settings, AreTheUsualOnesUnlessGiven) {
  const SetMapper mapper;
  const MapOptions none;
  const MapperSettings usual(mapper, none);
  EXPECT_EQ(usual.number("depth"), 3U);
  EXPECT_EQ(usual.real("share", 0, 1), 0.5);
  EXPECT_TRUE(usual.flag("swaps"));
  EXPECT_EQ(usual.choice("order", {"last", "first"}), 1U);

  MapOptions options = given("depth", "4");
  options.settings.push_back({"depth", "5"});
  EXPECT_EQ(MapperSettings(mapper, options).number("depth"), 5U);
}

TEST(Settings, RefuseWhatIsNoValue) {
  const SetMapper mapper;
  const auto message = [](std::string_view text) {
    return testing::ThrowsMessage<Error>(testing::StartsWith(std::string(text)));
  };
  const MapOptions depth = given("depth", "9");
  EXPECT_THAT([&] { MapperSettings(mapper, depth).number("depth", 1, 8); },
              message("set depth: expected a whole number from 1 to 8, found \"9\""));
  const MapOptions share = given("share", "1.5");
  EXPECT_THAT([&] { MapperSettings(mapper, share).real("share", 0, 1); }, message("set share:"));
  const MapOptions swaps = given("swaps", "yes");
  EXPECT_THAT([&] { MapperSettings(mapper, swaps).flag("swaps"); },
              message("set swaps: expected off or on, found \"yes\""));
}

TEST(Settings, OfOtherMappersAreRefused) {
  const SetMapper mapper;
  EXPECT_NO_THROW(check_settings(mapper, given("order", "x").settings));
  EXPECT_THROW(check_settings(mapper, given("ordre", "first").settings), Error);
}

}  // namespace
}  // namespace kith
