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
              ElementsAre(NodeCount{"a", 0}, NodeCount{"b", 0}));
  EXPECT_THAT(parse_node_list("tux[1-2],tux2", "--nodes"),
              ElementsAre(NodeCount{"tux1", 0}, NodeCount{"tux2", 0}));
  EXPECT_THAT(parse_node_list("a:2,b,a:3", "--nodes"),
              ElementsAre(NodeCount{"a", 5}, NodeCount{"b", 0}));
  expect_error([] { parse_node_list("a:0", "--nodes"); }, {"--nodes: ", "a number of slots"});
  expect_error([] { parse_node_list("a:x", "--nodes"); }, {"a number of slots", "\"a:x\""});
  expect_error([] { parse_node_list("a,:3", "--nodes"); }, {"a hostlist"});
  expect_error([] { parse_node_list("a[1", "--nodes"); }, {"a hostlist"});
}

TEST(NodeListTest, ReadsFilesOfHosts) {
  const TempDirectory directory;
  const auto counts_of = [&](const std::string& content) {
    return parse_node_list(directory.write("hosts", content).string(), "--nodes");
  };
  EXPECT_THAT(counts_of("# the job's\n"
                        "tux0 slots=4 max_slots=8\n"
                        "\n"
                        "tux[1-2]:2   # in two's\n"
                        "tux3\ntux3\n"),
              ElementsAre(NodeCount{"tux0", 4}, NodeCount{"tux1", 2}, NodeCount{"tux2", 2},
                          NodeCount{"tux3", 2}));
  // A line of several nodes is a list; only one per slot counts.
  EXPECT_THAT(counts_of("tux[0-1],tux1\ntux3\ntux3\ntux3:4\n"),
              ElementsAre(NodeCount{"tux0", 0}, NodeCount{"tux1", 0}, NodeCount{"tux3", 6}));
  const BrokenFile broken[] = {
      {"", {"hosts: ", "at least one node", "none"}},
      {"a\nb slots=0\n", {"hosts:2", "a number of slots", "\"slots=0\""}},
      {"a\nb weight=3\n", {"hosts:2", "slots=N or max_slots=N", "\"weight=3\""}},
      {"a b\n", {"hosts:1", "slots=N", "\"b\""}},
      {"a cpus=2\n", {"hosts:1", "slots=N", "\"cpus=2\""}},
      {"a slot=2\n", {"hosts:1", "slots=N", "\"slot=2\""}},
      {"a Slots=2\n", {"hosts:1", "slots=N", "\"Slots=2\""}},
      {"a slots =\n", {"hosts:1", "a number of slots", "\"slots=\""}},
      {"a slots=2 cpu=3\n", {"hosts:1", "slots=N once", "\"cpu=3\""}},
      {"a slots=5 max_slots=3\n", {"hosts:1", "at least 5 slots", "\"max_slots=3\""}},
      {"a\n^b\n", {"hosts:2", "^HOST", "\"^b\""}},
      {"me@^b slots=2\n", {"hosts:1", "^HOST", "\"^b\""}},
      {"+n0\n", {"hosts:1", "+nN", "\"+n0\""}},
      {"a[\n", {"hosts:1", "a hostlist"}},
  };
  for (const BrokenFile& bad : broken) {
    SCOPED_TRACE(bad.content);
    expect_error([&] { counts_of(bad.content); }, bad.message_parts);
  }
  expect_error([] { parse_node_list("/nowhere/hosts", "--nodes"); }, {"/nowhere/hosts"});
}

TEST(NodeListTest, ReadsWhatOpenMpiReadsBehindAHost) {
  const TempDirectory directory;
  const std::pair<const char*, NodeCount> cases[] = {
      {"a cpu=3", {"a", 3}},
      {"a count=3", {"a", 3}},
      {"a slots = 3", {"a", 3}},
      {"a slots= 3 max_count =4", {"a", 3}},
      {"a max-slots=5", {"a", 5}},
      {"a slots_max=5 slots=2", {"a", 2}},
      {"a max_cpu=4", {"a", 4}},
      {"a count-max=4", {"a", 4}},
      {"a max_slots=3 slots=5", {"a", 5}},
      {"me@a slots=2", {"a", 2}},
      {"me@a.net", {"a.net", 0}},
      {"a port=22 username=me slots=2", {"a", 2}},
  };
  for (const auto& [line, count] : cases) {
    EXPECT_THAT(parse_node_list(directory.write("hosts", line).string(), "--nodes"),
                ElementsAre(count))
        << line;
  }
}

}  // namespace
}  // namespace kith
