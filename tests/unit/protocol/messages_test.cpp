#include "protocol/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
std::size_t largest_piece = 0;  // of memory that was asked for
}

// No message may make its reader ask for more than its bytes hold.
[[gnu::noinline]] void* operator new(std::size_t size) {
  largest_piece = std::max(largest_piece, size);
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace kith::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

JobDescription example_job() {
  JobDescription job;
  job.hosts = {{"a", 0}, {"b", 1}};
  job.hardware = {{"d0", "<topology/>"}, {"d1", ""}};
  job.hosts[0].switches = {"p0", "s0"};
  job.hosts[1].switches = {"p0", "s1"};
  job.network = {"a.net", {{"network", 9, 1.5, 2.5, 3e4, 0.5}, {"pod"}, {"switch"}}, {{"host", 3}}};
  job.processes = {{1, 0, {0, 1, 2}, 8}, {0, 1, {}}, {2, 1, {7, 9, 4000000000}}};
  return job;
}

Situation example_situation() {
  Situation situation;
  situation.ranks = 3;
  situation.algorithm = "kith";
  situation.topology = "tree:2x2";
  situation.launcher_ranks = {2, 0, 1};
  situation.min_gain = 0.02;
  situation.keep_rank0 = false;
  situation.keep_local = true;
  situation.has_state = true;
  situation.state_bytes = 1e9;
  situation.remaining = 2.5;
  situation.job = example_job();
  return situation;
}

const std::vector<TrafficCell> cells{{0, 1, 5, 2}, {2, 0, UINT64_MAX, 7}};

ReorderAnswer example_answer() {
  return {4, true, false, "so", "kith+refine", 10, 5.5, 2, 1, 0.5, {2, 1, 0}};
}

template <class Message>
Message example();
template <>
Problem example() {
  return {"no such file"};
}
template <>
HardwareRequest example() {
  return {{0, 1, 6}};
}
template <>
HardwareAnswer example() {
  return {{"d0", std::string("<a\0b>", 5)}, {0, 1, 6}};
}
template <>
NetworkRequest example() {
  return {"a.net", example_job().hosts, {"s0.a", "s1.b"}, {"switch.node", ""}};
}
template <>
NetworkAnswer example() {
  return {example_job().network, {{"p0", "s0"}, {}}, "b is not named"};
}
template <>
ReorderRequest example() {
  return {example_situation(), "t.kith", cells, CartesianTopology{{2, 3}, {true, false}, {}},
          "/bin/a"};
}
template <>
ReorderAnswer example() {
  return example_answer();
}
template <>
AutoBeginRequest example() {
  return {example_situation(), {{3, "/bin/a", "b1", std::string("a\0-x\0", 5)}}, true};
}
template <>
AutoBeginAnswer example() {
  return {example_answer(), true, {"/home", 0.5, "/home/profiles/a.timeline"}, "KITH_HOME: bad"};
}
template <>
AutoEndRequest example() {
  return {example_situation(),
          {{3, "/bin/a", "", ""}},
          {"", {}, ""},
          12.5,
          cells,
          "first run",
          {0, 1, 2},
          "/home/profiles/a.timeline.tmp-b-7"};
}
template <>
AutoEndAnswer example() {
  return {"recorded"};
}
template <>
BindingRequest example() {
  return {example_job()};
}
template <>
BindingAnswer example() {
  return {{"on a: ranks 0 and 1 share one core"}};
}
template <>
ThreadBindingRequest example() {
  return {"compact", true, 4, {0, 1, 2, 3}, 2, 1, "/tmp/shared.mtx"};
}
template <>
ThreadBindingAnswer example() {
  return {{{0}, {2, 3}}, "compact"};
}

template <class Message>
class MessagesTest : public ::testing::Test {};
using All = ::testing::Types<Problem, HardwareRequest, HardwareAnswer, NetworkRequest,
                             NetworkAnswer, ReorderRequest, ReorderAnswer, AutoBeginRequest,
                             AutoBeginAnswer, AutoEndRequest, AutoEndAnswer, BindingRequest,
                             BindingAnswer, ThreadBindingRequest, ThreadBindingAnswer>;
TYPED_TEST_SUITE(MessagesTest, All);

/// Refused with words, or unpacked into something that can be packed.
template <class Message>
void expect_harmless(const std::string& bytes) {
  largest_piece = 0;
  try {
    const auto message = unpack<Message>(bytes);
    // The item of a list takes at most some hundred bytes for each of its own, and lists grow by
    // doubling.
    EXPECT_LE(largest_piece, 1000 + 400 * bytes.size());
    EXPECT_LE(pack(message).size(), bytes.size());
  } catch (const std::runtime_error&) {
    EXPECT_LE(largest_piece, 1000 + 400 * bytes.size());
  }
}

TYPED_TEST(MessagesTest, ComesBackWhole) {
  const std::string bytes = pack(example<TypeParam>(), 7);
  const Header header = unpack_header(bytes);
  EXPECT_EQ(header.kind, TypeParam::kind);
  EXPECT_EQ(header.seconds, 7U);
  EXPECT_EQ(header.body + Header::size, bytes.size());
  EXPECT_EQ(pack(unpack<TypeParam>(bytes), 7), bytes);
}

TYPED_TEST(MessagesTest, EveryPrefixIsRefused) {
  const std::string whole = pack(example<TypeParam>());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::string cut = whole.substr(0, length);
    EXPECT_THROW(unpack<TypeParam>(cut), std::runtime_error) << length;
    if (length < Header::size) continue;
    const std::uint64_t body = length - Header::size;  // now the header agrees
    std::memcpy(cut.data() + 12, &body, sizeof body);
    EXPECT_THROW(unpack<TypeParam>(cut), std::runtime_error) << length;
  }
}

TYPED_TEST(MessagesTest, MoreBytesAreRefused) {
  std::string longer = pack(example<TypeParam>()) + '\0';
  EXPECT_THROW(unpack<TypeParam>(longer), std::runtime_error);
  const std::uint64_t body = longer.size() - Header::size;
  std::memcpy(longer.data() + 12, &body, sizeof body);
  EXPECT_THROW(unpack<TypeParam>(longer), std::runtime_error);
}

TYPED_TEST(MessagesTest, DamagedBytesAreHarmless) {
  const std::string whole = pack(example<TypeParam>());
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const int byte : {0, 1, 0x7F, 0x80, 0xFF}) {
      std::string damaged = whole;
      damaged[place] = static_cast<char>(byte);
      expect_harmless<TypeParam>(damaged);
    }
    if (place >= Header::size && place + 8 <= whole.size()) {
      std::string huge = whole;  // the largest number, as it is packed, or as it is in a text
      huge.replace(place, 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");
      expect_harmless<TypeParam>(huge);
    }
  }
}

TYPED_TEST(MessagesTest, RandomBytesAreHarmless) {
  std::mt19937 random(1);
  const std::string header = pack(example<TypeParam>()).substr(0, Header::size);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = header;
    const std::uint64_t body = random() % 200;
    std::memcpy(bytes.data() + 12, &body, sizeof body);
    // Small numbers as well, or no list would ever be there.
    for (std::uint64_t i = 0; i < body; ++i) {
      bytes += static_cast<char>(random() % 2 == 0 ? random() : random() % 4);
    }
    expect_harmless<TypeParam>(bytes);
  }
}

TEST(MessageTest, KeepsEachPart) {
  const auto request = unpack<ReorderRequest>(pack(example<ReorderRequest>()));
  const JobDescription& job = request.situation.job.value();
  ASSERT_EQ(job.hosts.size(), 2U);
  EXPECT_EQ(job.hosts[1].name, "b");
  EXPECT_EQ(job.hosts[1].hardware, 1U);
  EXPECT_EQ(job.hardware[0].xml, "<topology/>");
  EXPECT_EQ(job.processes[0].rank, 1U);
  EXPECT_EQ(job.processes[0].cpus, (CpuSet{0, 1, 2}));
  EXPECT_TRUE(job.processes[1].cpus.empty());
  EXPECT_EQ(job.processes[2].cpus, (CpuSet{7, 9, 4000000000}));
  EXPECT_EQ(job.hosts[1].switches, (std::vector<std::string>{"p0", "s1"}));
  EXPECT_EQ(job.network.source, "a.net");
  ASSERT_EQ(job.network.levels.size(), 3U);
  EXPECT_EQ(job.network.levels[0].cost, 9U);
  EXPECT_EQ(job.network.levels[0].latency_us, 1.5);
  EXPECT_EQ(job.network.levels[0].megabytes_per_s, 2.5);
  EXPECT_EQ(job.network.levels[2].level, "switch");
  EXPECT_EQ(job.network.host_levels[0].cost, 3U);
  EXPECT_THAT(request.situation.launcher_ranks, ElementsAre(2, 0, 1));
  EXPECT_TRUE(request.situation.keep_local);
  EXPECT_EQ(request.situation.remaining, 2.5);
  EXPECT_EQ(request.traffic, cells);
  EXPECT_EQ(request.grid.value().periods, (std::vector<bool>{true, false}));
}

TEST(MessageTest, AnotherVersionIsTold) {
  std::string bytes = pack(HardwareRequest{});
  bytes[4] = static_cast<char>(version + 1);
  EXPECT_THAT([&] { unpack<HardwareRequest>(bytes); },
              ThrowsMessage<std::runtime_error>(
                  HasSubstr("of version " + std::to_string(version + 1) + " of the protocol, not " +
                            std::to_string(version))));
  // What went wrong can be told across versions.
  std::string problem = pack(Problem{"old"});
  problem[4] = static_cast<char>(version + 1);
  EXPECT_EQ(unpack<Problem>(problem).text, "old");
}

TEST(MessageTest, OtherKindsAndStrangersAreRefused) {
  EXPECT_THAT([] { unpack<HardwareAnswer>(pack(HardwareRequest{})); },
              ThrowsMessage<std::runtime_error>(HasSubstr("is of kind 1, not 2")));
  EXPECT_THAT([] { unpack_header("#!/bin/sh\necho hello\n"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("does not begin like one")));
  EXPECT_THAT([] { unpack_header("kith"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("was cut short")));
}

TEST(MessageTest, CpusComeInOrder) {
  Packer packer;
  packer.put_number(2);  // 5-5, then 5-6
  for (const int number : {5, 0, 0, 1}) packer.put_number(number);
  const std::string bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_THROW(unpack_cpus(unpacker), std::runtime_error);
}

TEST(MessageTest, CellsLieAsTheyAreInMemory) {
  std::vector<TrafficCell> all;
  const std::string bytes(reinterpret_cast<const char*>(cells.data()), 48);
  append_cells(all, bytes);
  append_cells(all, "");
  append_cells(all, bytes.substr(24));
  EXPECT_THAT(all, ElementsAre(cells[0], cells[1], cells[1]));
  EXPECT_THROW(append_cells(all, bytes.substr(1)), std::runtime_error);
}

}  // namespace
}  // namespace kith::protocol
