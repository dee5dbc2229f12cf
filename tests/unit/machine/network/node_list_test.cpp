#include "machine/network/node_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Names = std::vector<std::string>;

TEST(HostlistTest, ExpandsBracketsPaddingAndSuffixes) {
  EXPECT_THAT(expand_hostlist("tux[0-2,7],gpu01", "-"),
              ElementsAre("tux0", "tux1", "tux2", "tux7", "gpu01"));
  EXPECT_THAT(expand_hostlist("n[08-11]-ib", "-"),
              ElementsAre("n08-ib", "n09-ib", "n10-ib", "n11-ib"));
  EXPECT_THAT(expand_hostlist("r[0-1]c[2-3]", "-"), ElementsAre("r0c2", "r0c3", "r1c2", "r1c3"));
  EXPECT_THAT(expand_hostlist("n[001-128]", "-"), SizeIs(128));
  EXPECT_THAT(expand_hostlist("a.cluster,b.cluster", "-"), ElementsAre("a.cluster", "b.cluster"));
  EXPECT_THAT(expand_hostlist("[3-4]", "-"), ElementsAre("3", "4"));
}

TEST(HostlistTest, RefusesWhatIsNone) {
  for (const char* const text :
       {"", ",", "a,", ",a", "a[", "a[1", "a]", "a[]", "a[1-]", "a[-1]", "a[3-1]", "a[b-c]",
        "a[1,]", "a[[1]]", "a b", "a[1 -2]", "a[1-99999999999999999999]"}) {
    SCOPED_TRACE(text);
    expect_error([&] { expand_hostlist(text, "--nodes"); }, {"--nodes: ", "a hostlist such as"});
  }
  const std::string long_name(256, 'a');
  EXPECT_THROW(expand_hostlist(long_name, "-"), Error);
  EXPECT_THROW(expand_hostlist(std::string(250, 'a') + "[1000000]", "-"), Error);
}

TEST(HostlistTest, TakesNoMemoryForMoreNamesThanItMayGive) {
  for (const char* const text : {"a[0-18446744073709551615]", "a[0-9999999]", "a[0-9999]b[0-9999]",
                                 "a[0-999]b[0-999]c[0-999]d[0-999]", "a[0-999999],b[0-999999]"}) {
    SCOPED_TRACE(text);
    expect_error([&] { expand_hostlist(text, "-"); }, {"at most 1048576 nodes"});
  }
  expect_error([] { expand_hostlist("a[0-3]", "-", 3); }, {"at most 3 nodes"});
  EXPECT_THAT(expand_hostlist("a[0-3]", "-", 4), SizeIs(4));
}

TEST(HostlistTest, CompressesNames) {
  const auto compress = [](Names names) { return compress_hostlist(names); };
  EXPECT_EQ(compress({}), "");
  EXPECT_EQ(compress({"login"}), "login");
  EXPECT_EQ(compress({"tux7", "tux0", "gpu01", "tux1", "tux2", "tux1"}), "tux[0-2,7],gpu01");
  EXPECT_EQ(compress({"n098", "n099", "n100"}), "n[098-100]");
  EXPECT_EQ(compress({"n8", "n9", "n10", "n11"}), "n[8-11]");
  EXPECT_EQ(compress({"n9", "n010"}), "n[9,010]");
  EXPECT_EQ(compress({"n1", "n01"}), "n[1,01]");
  EXPECT_EQ(compress({"r0c0", "r0c1", "r1c0"}), "r0c[0-1],r1c0");
  EXPECT_EQ(compress({"n1.net2", "n2.net2"}), "n[1-2].net2");
  EXPECT_EQ(compress({"n1-ib", "n2-ib", "n1"}), "n[1-2]-ib,n1");
}

TEST(HostlistTest, WhatIsCompressedExpandsToTheSameNames) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    Names names;
    for (std::uint64_t i = 0, count = 1 + rng.below(30); i < count; ++i) {
      std::string digits = std::to_string(rng.below(round % 2 == 0 ? 12 : 1200));
      if (rng.below(3) == 0) digits.insert(0, rng.below(4), '0');
      names.push_back((rng.below(2) == 0 ? "n" : "rack1-n") + digits +
                      (rng.below(3) == 0 ? ".cluster1" : ""));
    }
    Names back = expand_hostlist(compress_hostlist(names), "-");
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::ranges::sort(back);
    EXPECT_EQ(back, names) << compress_hostlist(names);
  }
}

TEST(NodeListTest, ReadsListsWithCounts) {
  EXPECT_THAT(parse_node_list("tux[0-1]:4,gpu01", "--nodes"),
              ElementsAre(NodeCount{"tux0", 4}, NodeCount{"tux1", 4}, NodeCount{"gpu01", 0}));
  EXPECT_THAT(parse_node_list("a,b,a,a:2", "--nodes"),
              ElementsAre(NodeCount{"a", 4}, NodeCount{"b", 0}));
  expect_error([] { parse_node_list("a:0", "--nodes"); }, {"--nodes: ", "a number of slots"});
  expect_error([] { parse_node_list("a:x", "--nodes"); }, {"a number of slots", "\"a:x\""});
  expect_error([] { parse_node_list("a,:3", "--nodes"); }, {"a hostlist"});
  expect_error([] { parse_node_list("a[1", "--nodes"); }, {"a hostlist"});
}

TEST(NodeListTest, ReadsFilesOfHosts) {
  const TempDirectory directory;
  const auto file = directory.write("hosts",
                                    "# the job's\n"
                                    "tux0 slots=4 max_slots=8\n"
                                    "\n"
                                    "tux[1-2]:2   # in two's\n"
                                    "tux3\ntux3\n");
  EXPECT_THAT(parse_node_list(file.string(), "--nodes"),
              ElementsAre(NodeCount{"tux0", 4}, NodeCount{"tux1", 2}, NodeCount{"tux2", 2},
                          NodeCount{"tux3", 2}));
  const BrokenFile broken[] = {
      {"", {"hosts: ", "at least one node", "none"}},
      {"a\nb slots=0\n", {"hosts:2", "a number of slots", "\"slots=0\""}},
      {"a\nb weight=3\n", {"hosts:2", "slots=N or max_slots=N", "\"weight=3\""}},
      {"a b\n", {"hosts:1", "slots=N", "\"b\""}},
      {"a[\n", {"hosts:1", "a hostlist"}},
  };
  for (const BrokenFile& bad : broken) {
    SCOPED_TRACE(bad.content);
    const auto path = directory.write("hosts", bad.content).string();
    expect_error([&] { parse_node_list(path, "--nodes"); }, bad.message_parts);
  }
  expect_error([] { parse_node_list("/nowhere/hosts", "--nodes"); }, {"/nowhere/hosts"});
}

}  // namespace
}  // namespace kith
