#include "io/format/trace_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include <nlohmann/json.hpp>

#include "kith/detail/job.hpp"

namespace kith {
namespace {

TEST(TraceNames, AreWhatTheFormatSays) {
  EXPECT_EQ(trace_names::phase_bytes(1), "phases/0001.bytes.mtx");
  EXPECT_EQ(trace_names::phase_bytes(9999), "phases/9999.bytes.mtx");
  EXPECT_EQ(trace_names::phase_bytes(12345), "phases/12345.bytes.mtx");
  EXPECT_EQ(trace_names::host_xml(0), "host-0.xml");
  EXPECT_STREQ(trace_names::coll_bytes, "classes/coll.bytes.mtx");
}

TEST(TraceText, MetaHasAllFields) {
  TraceMetaText meta;
  meta.kith_version = "1.2.3";
  meta.program = "./a \"b\"";
  meta.ranks = 4;
  meta.mpi_library = "Open MPI";
  meta.hosts = {"n1", "n2"};
  meta.phases = {{"solve", "phases/0001.bytes.mtx", {}}};
  meta.note = "one communicator had no exact source";
  meta.totals = {10, 2, 6, 3, 1, 2, 4, 1, 8, 5};
  EXPECT_EQ(nlohmann::json::parse(meta_json_text(meta)), nlohmann::json::parse(R"({
    "format": 1, "kith_version": "1.2.3", "program": "./a \"b\"", "ranks": 4,
    "mpi_library": "Open MPI", "hosts": ["n1", "n2"],
    "phases": [{"name": "solve", "file": "phases/0001.bytes.mtx"}],
    "sources": {"collectives": "model", "note": "one communicator had no exact source"},
    "totals": {"bytes": 10, "messages": 2, "p2p_bytes": 6, "coll_bytes": 3, "rma_bytes": 1,
               "neighbour_bytes": 2, "self_bytes": 4, "self_messages": 1, "foreign_bytes": 8,
               "foreign_messages": 5},
    "partial": false})"));
}

TEST(TraceText, RowsThatStillChangeHaveNoTotals) {
  TraceMetaText meta;
  meta.partial = true;
  const auto json = nlohmann::json::parse(meta_json_text(meta));
  EXPECT_EQ(json["partial"], true);
  EXPECT_FALSE(json.contains("totals"));
  EXPECT_FALSE(json["sources"].contains("note"));
}

TEST(TraceText, MachineListsRanksByLauncherRank) {
  JobDescription machine;
  machine.hosts = {{"n1", 0}, {"n2", 0}};
  machine.hardware = {{"feed", "<xml/>"}, {"beef", ""}};
  machine.processes = {{1, 0, {0, 1, 2, 3, 8}}, {0, 1, {}}};
  const auto json = nlohmann::json::parse(machine_json_text(machine));
  EXPECT_EQ(json, nlohmann::json::parse(R"({
    "format": 1, "hosts": [{"name": "n1", "hardware": 0}, {"name": "n2", "hardware": 0}],
    "hardware": [{"digest": "feed", "file": "host-0.xml"}, {"digest": "beef", "file": null}],
    "ranks": [{"rank": 1, "launcher_rank": 0, "host": 0, "cpus": "0-3,8"},
              {"rank": 0, "launcher_rank": 1, "host": 1, "cpus": ""}],
    "hosts_digest": ")" + machine.hosts_digest() +
                                        "\"}"));
}

TEST(TraceText, CpuLists) {
  EXPECT_EQ(cpu_list_text({}), "");
  EXPECT_EQ(cpu_list_text({7}), "7");
  EXPECT_EQ(cpu_list_text({0, 1}), "0-1");
  EXPECT_EQ(cpu_list_text({0, 2, 3, 4, 9}), "0,2-4,9");
}

TEST(HostsDigest, IsOfTheNamesInLauncherOrder) {
  JobDescription job;
  job.hosts = {{"n1", 0}, {"n2", 0}, {"n1", 0}};
  job.processes = {{0, 0, {}}, {1, 1, {}}};
  const std::string digest = job.hosts_digest();
  // FNV-1a of "n1\nn2\n", worked out by the reference implementation's rule.
  std::uint64_t state = 14695981039346656037ULL;
  for (const char c : std::string("n1\nn2\n")) {
    state ^= static_cast<unsigned char>(c);
    state *= 1099511628211ULL;
  }
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016lx", static_cast<unsigned long>(state));
  EXPECT_EQ(digest, hex);

  job.processes[0].rank = 1;
  job.processes[1].rank = 0;
  EXPECT_EQ(job.hosts_digest(), digest) << "the program's ranks do not matter";
  job.processes[0].host = 2;
  EXPECT_EQ(job.hosts_digest(), digest) << "hosts of one name are one host";
  std::swap(job.processes[0].host, job.processes[1].host);
  EXPECT_NE(job.hosts_digest(), digest);
}

}  // namespace
}  // namespace kith
