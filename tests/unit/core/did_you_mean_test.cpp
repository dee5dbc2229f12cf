#include "core/did_you_mean.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kith {
namespace {

const std::vector<std::string> known{"--topology", "--threads", "--json", "map", "gen"};

TEST(Suggest, TypingMistakes) {
  EXPECT_EQ(did_you_mean("--tropology", known), " (did you mean --topology?)");
  EXPECT_EQ(did_you_mean("--jsno", known), " (did you mean --json?)");
  EXPECT_EQ(did_you_mean("mpa", known), " (did you mean map?)");
}

TEST(Suggest, WhatAWordBeginsComesFirst) {
  EXPECT_EQ(did_you_mean("--th", known), " (did you mean --threads?)");
  EXPECT_EQ(did_you_mean("--topo", known), " (did you mean --topology?)");
}

TEST(Suggest, NothingThatIsFar) {
  EXPECT_EQ(did_you_mean("xyz", known), "");
  EXPECT_EQ(did_you_mean("frob", std::vector<std::string>{"probe"}), "");
  const std::vector<std::string> files{"after.kith", "t.mtx"};
  EXPECT_EQ(did_you_mean("nothere.kith", files), "");
  EXPECT_EQ(did_you_mean("aftre.kith", files), " (did you mean after.kith?)");
  EXPECT_EQ(did_you_mean("t.kith", files), " (did you mean t.mtx?)");
  EXPECT_EQ(did_you_mean("m", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean(std::string(65, 'm'), known), "");
  EXPECT_EQ(did_you_mean("map", std::vector{std::string(1000, 'm')}), "");
}

}  // namespace
}  // namespace kith
