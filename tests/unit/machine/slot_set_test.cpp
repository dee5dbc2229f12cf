#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "kith/error.hpp"
#include "kith/machine.hpp"

namespace kith {
namespace {

std::vector<std::uint32_t> numbers(const SlotSet& set) {
  std::vector<std::uint32_t> out;
  for (const Slot slot : set.to_vector()) out.push_back(slot.value);
  return out;
}

TEST(SlotSet, ParsesListsInAnyOrder) {
  EXPECT_EQ(numbers(SlotSet::parse("16-18, 0-2,7", "--topology")),
            (std::vector<std::uint32_t>{0, 1, 2, 7, 16, 17, 18}));
  EXPECT_EQ(SlotSet::parse("0-3,4-7", "x"), SlotSet::all(8));
  EXPECT_EQ(SlotSet::parse("0-5,2-3,5-7", "x"), SlotSet::all(8));
  // Intervals, not members: this takes no gigabytes.
  EXPECT_EQ(SlotSet::parse("0-4294967294", "x").size(), 4294967295U);
}

TEST(SlotSet, RefusesBadLists) {
  for (const char* text :
       {"", "-", "5-", "-5", "7-5", "1,,2", "1,", "4294967295", "1-2-3", "1 2"}) {
    EXPECT_THROW(SlotSet::parse(text, "--topology"), Error) << text;
  }
  try {
    SlotSet::parse("1,9-5", "--forbid");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(std::string(error.what()),
              "--forbid: expected a range with its smaller slot first, found \"9-5\"");
  }
}

TEST(SlotSet, ReadsFiles) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("kith_slots_" + std::to_string(std::random_device{}()));
  std::ofstream(file) << "# comment\n0-1\n\n 8, 9 # more\n";
  EXPECT_EQ(numbers(SlotSet::parse(file.string(), "x")), (std::vector<std::uint32_t>{0, 1, 8, 9}));
  std::ofstream(file) << "0\nsix\n";
  try {
    SlotSet::parse(file.string(), "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(file.string() + ":2: "), std::string::npos)
        << error.what();
  }
  std::ofstream(file) << "# nothing\n";
  EXPECT_THROW(SlotSet::parse(file.string(), "x"), Error);
  std::filesystem::remove(file);
  EXPECT_THROW(SlotSet::parse(file.string(), "x"), Error);
}

TEST(SlotSet, NamesThePlaceOfASlotThatTheMachineLacks) {
  EXPECT_THAT([] { SlotSet::parse("0-1,9", "--forbid", 4); },
              testing::ThrowsMessage<Error>("--forbid: expected slots below 4, found 9"));
  EXPECT_EQ(SlotSet::parse("0-3", "--forbid", 4), SlotSet::all(4));
  const std::string name = testing::TempDir() + "kith-slots-" + std::to_string(::getpid());
  std::ofstream(name) << "0\n1-4\n";
  EXPECT_THAT([&] { SlotSet::parse(name, "x", 4); },
              testing::ThrowsMessage<Error>(name + ":2: expected slots below 4, found 4"));
  std::remove(name.c_str());
}

TEST(SlotSet, RefusesADirectory) {
  EXPECT_THAT(
      [] { SlotSet::parse("/dev", "--slots"); },
      testing::ThrowsMessage<Error>("/dev: expected a readable file, found Is a directory"));
}

// Against std::set, with random members.
TEST(SlotSet, RefusesFilesThatAreNoText) {
  EXPECT_THAT([] { SlotSet::parse("/dev/zero", "--slots"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("/dev/zero:1: expected text")));
  const std::string name = testing::TempDir() + "kith-slots-" + std::to_string(::getpid());
  std::ofstream(name) << "0-3\n" << std::string(20'000'000, ' ') << "4\n";
  EXPECT_THAT([&] { SlotSet::parse(name, "--slots"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(":2: expected a line of at most")));
  std::ofstream(name) << "\xEF\xBB\xBF"
                      << "0-3";
  EXPECT_EQ(SlotSet::parse(name, "--slots").size(), 4U);
  std::remove(name.c_str());
}

TEST(SlotSet, BehavesLikeASet) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::set<std::uint32_t> a;
    std::set<std::uint32_t> b;
    for (int i = 0; i < 20; ++i) {
      a.insert(static_cast<std::uint32_t>(random() % 40));
      if (i % 2 == 0) b.insert(static_cast<std::uint32_t>(random() % 40));
    }
    const auto to_slots = [](const std::set<std::uint32_t>& set) {
      std::vector<Slot> slots;
      for (const auto value : set) slots.emplace_back(value);
      return SlotSet::of(slots);
    };
    const SlotSet set_a = to_slots(a);
    const SlotSet set_b = to_slots(b);
    std::vector<std::uint32_t> both;
    std::vector<std::uint32_t> only_a;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    std::ranges::set_difference(a, b, std::back_inserter(only_a));
    EXPECT_EQ(numbers(set_a.intersected(set_b)), both);
    EXPECT_EQ(numbers(set_a.without(set_b)), only_a);
    ASSERT_EQ(set_a.size(), a.size());
    std::uint64_t below = 0;
    for (std::uint32_t slot = 0; slot < 42; ++slot) {
      EXPECT_EQ(set_a.contains(Slot(slot)), a.contains(slot));
      EXPECT_EQ(set_a.index_of(Slot(slot)), below);
      if (!a.contains(slot)) continue;
      EXPECT_EQ(set_a.at(below), Slot(slot));
      ++below;
    }
  }
}

}  // namespace
}  // namespace kith
