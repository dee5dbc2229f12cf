#include "io/format/trace_text.hpp"
#include "kith/io.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

std::string mtx(const std::string& rest) {
  return "%%MatrixMarket matrix coordinate integer general\n" + rest;
}

class TraceReader : public testing::Test {
 protected:
  void SetUp() override {
    TraceMetaText meta;
    meta.kith_version = "9.9";
    meta.program = "app";
    meta.mpi_library = "MPI";
    meta.ranks = 2;
    meta.hosts = {"n1", "n2"};
    meta.phases = {{"setup", trace_names::phase_bytes(1), {}},
                   {"solve", trace_names::phase_bytes(2), {}},
                   {"setup", trace_names::phase_bytes(3), {}}};
    meta_ = meta_json_text(meta);
    JobDescription machine;
    machine.hosts = {{"n1", 0}, {"n2", 0}};
    machine.hardware = {{"feed", "<xml/>"}};
    machine.processes = {{1, 0, {0, 1, 4}}, {0, 1, {}}};
    machine_ = machine_json_text(machine);
    put(trace_names::meta, meta_);
    put(trace_names::machine, machine_);
    put("host-0.xml", "<xml>\r\n</xml>");
    put(trace_names::bytes, mtx("2 2 1\n1 2 100\n"));
    put(trace_names::messages, mtx("2 2 1\n1 2 3\n"));
    put(trace_names::p2p_bytes, mtx("2 2 1\n1 2 60\n"));
    put(trace_names::phase_bytes(1), mtx("2 2 1\n1 2 10\n"));
    put(trace_names::phase_bytes(2), mtx("2 2 1\n2 1 20\n"));
    put(trace_names::phase_bytes(3), mtx("2 2 1\n1 2 70\n"));
  }
  void put(const std::string& name, const std::string& content) {
    dir_.write("app.kith/" + name, content);
  }
  /// A text with its first `what` replaced.
  static std::string with(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
  }

  TempDirectory dir_;
  std::string meta_;
  std::string machine_;
};

TEST_F(TraceReader, ReadsAllOfATrace) {
  const Trace trace = read_trace(dir_ / "app.kith");
  EXPECT_EQ(cells_of(trace.bytes), (Cells{{0, 100}, {0, 0}}));
  ASSERT_TRUE(trace.meta);
  EXPECT_EQ(trace.meta->kith_version, "9.9");
  EXPECT_EQ(trace.meta->program, "app");
  EXPECT_EQ(trace.meta->mpi_library, "MPI");
  EXPECT_EQ(trace.meta->ranks, 2U);
  EXPECT_EQ(trace.meta->collectives, "model");
  EXPECT_THAT(trace.meta->hosts, testing::ElementsAre("n1", "n2"));
  ASSERT_EQ(trace.meta->phases.size(), 3U);
  EXPECT_EQ(trace.meta->phases[1].name, "solve");
  EXPECT_FALSE(trace.meta->partial);
  ASSERT_TRUE(trace.job);
  EXPECT_EQ(trace.job->processes[0].rank, 1U);
  EXPECT_EQ(trace.job->processes[0].cpus, (CpuSet{0, 1, 4}));
  EXPECT_EQ(trace.job->processes[1].host, 1U);
  EXPECT_TRUE(trace.job->processes[1].cpus.empty());
  EXPECT_EQ(trace.job->hardware[0].xml, "<xml>\r\n</xml>");
  EXPECT_THAT(machine_, testing::HasSubstr(trace.job->hosts_digest()));
}

TEST_F(TraceReader, SelectsMessagesPhasesAndParts) {
  EXPECT_EQ(cells_of(read_trace(dir_ / "app.kith", {.messages = true, .phase = {}}).bytes),
            (Cells{{0, 3}, {0, 0}}));
  EXPECT_EQ(cells_of(read_trace(dir_ / "app.kith", {.messages = false, .phase = "solve"}).bytes),
            (Cells{{0, 0}, {20, 0}}));
  EXPECT_EQ(cells_of(read_trace(dir_ / "app.kith", {.messages = false, .phase = "setup"}).bytes),
            (Cells{{0, 80}, {0, 0}}));
  expect_error([&] { read_trace(dir_ / "app.kith", {.messages = false, .phase = "x"}); },
               {"phase of", "one of \"setup\", \"solve\"", "\"x\""});
  expect_error([&] { read_trace(dir_ / "app.kith", {.messages = true, .phase = "solve"}); },
               {"no message counts"});
  const Trace trace = read_trace(dir_ / "app.kith");
  EXPECT_EQ(cells_of(*read_trace_part(trace, trace_names::p2p_bytes)), (Cells{{0, 60}, {0, 0}}));
  EXPECT_FALSE(read_trace_part(trace, trace_names::rma_bytes));
  EXPECT_FALSE(read_trace_part(trace, "../secret.mtx"));
}

TEST_F(TraceReader, FindsTheTraceByItsName) {
  EXPECT_TRUE(read_trace(dir_ / "app").meta);
  EXPECT_TRUE(read_trace(dir_ / "app.kith/").meta);
  dir_.write("app",
             "\x7f"
             "ELF, the program of that name");
  EXPECT_TRUE(read_trace(dir_ / "app").meta);
  dir_.write("app", "1 2\n3 4\n");  // a matrix of that name is what the user named
  EXPECT_FALSE(read_trace(dir_ / "app").meta);
}

TEST_F(TraceReader, SingleFilesStandForATrace) {
  const auto file = dir_.write("m.mtx", mtx("3 3 1\n1 3 7\n"));
  const Trace trace = read_trace(file);
  EXPECT_EQ(trace.bytes.at(Rank{0}, Rank{2}), 7U);
  EXPECT_FALSE(trace.meta);
  EXPECT_FALSE(trace.job);
  EXPECT_FALSE(read_trace_part(trace, trace_names::messages));
  expect_error([&] { read_trace(file, {.messages = true, .phase = {}}); },
               {"messages of", "m.mtx"});
  expect_error([&] { read_trace(file, {.messages = false, .phase = "a"}); }, {"phase of", "m.mtx"});
  dir_.write("run/x.0.prof", "E\t0\t0\t8 bytes\t2 msgs sent\n");
  EXPECT_EQ(cells_of(read_trace(dir_ / "run").bytes), (Cells{{8}}));
  EXPECT_EQ(cells_of(read_trace(dir_ / "run/x").bytes), (Cells{{8}}));
  EXPECT_EQ(cells_of(read_trace(dir_ / "run", {.messages = true, .phase = {}}).bytes),
            (Cells{{2}}));
}

TEST_F(TraceReader, WhatIsNoTraceIsAnError) {
  expect_error([&] { read_trace(dir_ / "none"); }, {"none: expected a trace", "none.kith"});
  std::filesystem::create_directory(dir_ / "empty");
  expect_error([&] { read_trace(dir_ / "empty"); }, {"empty", "meta.json", ".prof", "neither"});
  std::filesystem::create_directory(dir_ / "half.kith");
  expect_error([&] { read_trace(dir_ / "half"); }, {"half.kith", "meta.json", "neither"});
  std::filesystem::remove(dir_ / "app.kith/messages.mtx");
  expect_error([&] { read_trace(dir_ / "app", {.messages = true, .phase = {}}); },
               {"messages.mtx", "No such file"});
}

TEST_F(TraceReader, RanksMustAgree) {
  put(trace_names::bytes, mtx("3 3 0\n"));
  expect_error([&] { read_trace(dir_ / "app"); }, {"bytes.mtx", "2 ranks, as meta.json says", "3"});
  put(trace_names::bytes, mtx("2 2 0\n"));
  put(trace_names::phase_bytes(2), mtx("1 1 0\n"));
  expect_error([&] { read_trace(dir_ / "app", {.messages = false, .phase = "solve"}); },
               {"0002.bytes.mtx", "2 ranks"});
  put(trace_names::p2p_bytes, mtx("4 4 0\n"));
  expect_error([&] { read_trace_part(read_trace(dir_ / "app"), trace_names::p2p_bytes); },
               {"p2p.bytes.mtx", "2 ranks"});
  put(trace_names::bytes, mtx("3 3 0\n"));
  put(trace_names::meta, with(meta_, "\"ranks\": 2", "\"ranks\": 3"));
  expect_error([&] { read_trace(dir_ / "app"); }, {"machine.json: /ranks", "3 ranks", "2"});
}

TEST_F(TraceReader, BrokenMetaNamesThePlace) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>>
      broken{
          {{"\"format\": 1", "\"format\": 2"}, {"meta.json: /format", "expected 1", "found 2"}},
          {{"\"ranks\": 2", "\"ranks\": \"2\""}, {"meta.json: /ranks", "whole number", "\"2\""}},
          {{"\"ranks\": 2", "\"ranks\": -2"}, {"/ranks", "whole number", "-2"}},
          {{"\"ranks\": 2", "\"ranks\": 2.5"}, {"/ranks", "whole number", "2.5"}},
          {{"\"ranks\": 2", "\"ranks\": 0"}, {"/ranks", "at least 1"}},
          {{"\"ranks\": 2", "\"ranks\": 5000000000"}, {"/ranks", "at most 4294967295"}},
          {{"\"ranks\": 2", "\"rank\": 2"}, {"/ranks", "a value", "nothing"}},
          {{"\"app\"", "7"}, {"/program", "a text", "7"}},
          {{"\"n2\"", "null"}, {"/hosts/1", "a text", "null"}},
          {{"\"partial\": false", "\"partial\": \"no\""}, {"/partial", "true or false", "\"no\""}},
          {{"\"name\": \"solve\"", "\"name\": 3"}, {"/phases/1/name", "a text", "3"}},
          {{"\"name\": \"solve\", ", ""}, {"/phases/1/name", "a value", "nothing"}},
          {{"\"phases/0002", "\"/etc/0002"}, {"/phases/1/file", "inside the trace", "/etc"}},
          {{"\"phases/0002", "\"../0002"}, {"/phases/1/file", "inside the trace", "../"}},
          {{"\"messages\": 0", "\"messages\": []"},
           {"/totals/messages", "whole number", "an array"}},
          {{"{\"collectives\": \"model\"}", "[]"}, {"/sources", "an object", "an array"}},
          {{"\"partial\": false", "\"partial\": fals"}, {"meta.json:", "JSON"}},
      };
  for (const auto& [change, parts] : broken) {
    SCOPED_TRACE(change.second);
    put(trace_names::meta, with(meta_, change.first, change.second));
    expect_error([&] { read_trace(dir_ / "app"); }, parts);
  }
  put(trace_names::meta, "[1]");
  expect_error([&] { read_trace(dir_ / "app"); }, {"meta.json: /", "an object", "an array"});
  put(trace_names::meta, "{\n\n\"ranks\": }\n");
  expect_error([&] { read_trace(dir_ / "app"); }, {"meta.json:3: expected JSON"});
  put(trace_names::meta, "");
  expect_error([&] { read_trace(dir_ / "app"); }, {"meta.json:1: expected JSON"});
}

TEST_F(TraceReader, BrokenMachineNamesThePlace) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>>
      broken{
          {{"\"format\": 1", "\"format\": 7"}, {"machine.json: /format", "found 7"}},
          {{"\"host\": 1", "\"host\": 2"}, {"/ranks/1/host", "below 2, the number of hosts", "2"}},
          {{"\"host\": 1", "\"host\": -1"}, {"/ranks/1/host", "-1"}},
          {{"\"host\": 1", "\"host\": \"n2\""}, {"/ranks/1/host", "\"n2\""}},
          {{"\"rank\": 1", "\"rank\": 2"}, {"/ranks/0/rank", "below 2", "2"}},
          {{"\"rank\": 1", "\"rank\": 0"}, {"/ranks/1/rank", "each rank once", "0 again"}},
          {{"\"launcher_rank\": 1", "\"launcher_rank\": 0"}, {"/ranks/1/launcher_rank", "0 again"}},
          {{"\"launcher_rank\": 1", "\"launcher_rank\": 9"}, {"/ranks/1/launcher_rank", "below 2"}},
          {{"\"cpus\": \"0-1,4\"", "\"cpus\": 4"}, {"/ranks/0/cpus", "a text", "4"}},
          {{"\"0-1,4\"", "\"1-0\""}, {"/ranks/0/cpus", "ascending", "1-0"}},
          {{"\"0-1,4\"", "\"0-1,1\""}, {"/ranks/0/cpus", "ascending"}},
          {{"\"0-1,4\"", "\"0,\""}, {"/ranks/0/cpus", "ascending"}},
          {{"\"0-1,4\"", "\"0-4294967295\""}, {"/ranks/0/cpus", "below 65536"}},
          {{"\"0-1,4\"", "\"a\""}, {"/ranks/0/cpus", "ascending"}},
          {{"\"hardware\": 0", "\"hardware\": 1"}, {"/hosts/0/hardware", "below 1"}},
          {{"\"host-0.xml\"", "\"../../etc/passwd\""}, {"/hardware/0/file", "inside the trace"}},
          {{"\"host-0.xml\"", "\"/etc/passwd\""}, {"/hardware/0/file", "inside the trace"}},
          {{"\"host-0.xml\"", "\"host-1.xml\""}, {"host-1.xml", "No such file"}},
          {{"\"host-0.xml\"", "\".\""}, {"a readable file", "a directory"}},
          {{"\"digest\": \"feed\"", "\"digest\": 1"}, {"/hardware/0/digest", "a text"}},
          {{"\"name\": \"n1\"", "\"name\": []"}, {"/hosts/0/name", "a text", "an array"}},
      };
  for (const auto& [change, parts] : broken) {
    SCOPED_TRACE(change.second);
    put(trace_names::machine, with(machine_, change.first, change.second));
    expect_error([&] { read_trace(dir_ / "app"); }, parts);
  }
  put(trace_names::machine, R"({"hosts": [], "hardware": [], "ranks": []})");
  expect_error([&] { read_trace(dir_ / "app"); }, {"/ranks", "at least one rank"});
  put(trace_names::machine, R"({"hosts": [], "hardware": []})");
  expect_error([&] { read_trace(dir_ / "app"); }, {"/ranks", "nothing"});
}

TEST_F(TraceReader, RanksMayComeInAnyOrderAndHardwareMayBeUnknown) {
  put(trace_names::machine, R"({"hosts": [{"name": "h", "hardware": 0}],
      "hardware": [{"digest": "", "file": null}],
      "ranks": [{"rank": 0, "launcher_rank": 1, "host": 0, "cpus": "5"},
                {"rank": 1, "launcher_rank": 0, "host": 0, "cpus": ""}]})");
  const JobDescription job = read_job(dir_ / "app.kith");
  EXPECT_EQ(job.processes[0].rank, 1U);
  EXPECT_EQ(job.processes[1].cpus, CpuSet{5});
  EXPECT_EQ(job.hardware[0].xml, "");
}

TEST_F(TraceReader, TheNetworkBetweenHostsComesBack) {
  JobDescription job;
  job.network = {"KITH_NETWORK=a.net",
                 {{"network", 270000, 190.5, 3.7}, {"switch", 85000}},
                 {{"host", 900, 1.1, 4000}}};
  job.hosts = {{"n1", 0, {"s0"}}, {"n2", 0, {"s1"}}};
  job.hardware = {{"feed", "<xml/>"}};
  job.processes = {{1, 0, {0}}, {0, 1, {}}};
  const std::string text = machine_json_text(job);
  put(trace_names::machine, text);
  const JobDescription back = read_job(dir_ / "app.kith");
  EXPECT_EQ(back.network.source, "KITH_NETWORK=a.net");
  ASSERT_EQ(back.network.levels.size(), 2U);
  EXPECT_EQ(back.network.levels[0].level, "network");
  EXPECT_EQ(back.network.levels[0].cost, 270000U);
  EXPECT_EQ(back.network.levels[0].latency_us, 190.5);
  EXPECT_EQ(back.network.levels[0].megabytes_per_s, 3.7);
  EXPECT_EQ(back.network.levels[1].latency_us, 0);
  ASSERT_EQ(back.network.host_levels.size(), 1U);
  EXPECT_EQ(back.network.host_levels[0].cost, 900U);
  EXPECT_THAT(back.hosts[1].switches, testing::ElementsAre("s1"));

  const std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>>
      broken{
          {{", \"switches\": [\"s1\"]", ""}, {"/hosts/1", "1 switches", "found 0"}},
          {{"[\"s1\"]", "[\"s1\", \"s2\"]"}, {"/hosts/1/switches", "1 switches", "found 2"}},
          {{"[\"s1\"]", "[1]"}, {"/hosts/1/switches/0", "a text"}},
          {{"270000", "-1"}, {"/network/levels/0/cost_ps_per_byte", "a whole number"}},
          {{"190.5", "-190.5"}, {"/network/levels/0/latency_us", "a number of at least 0"}},
          {{"3.7", "\"fast\""}, {"/network/levels/0/megabytes_per_s", "a number of at least 0"}},
          {{"\"name\": \"switch\"", "\"title\": \"switch\""}, {"/network/levels/1/name"}},
          {{"\"levels\"", "\"floors\""}, {"/network/levels", "nothing"}},
      };
  for (const auto& [change, parts] : broken) {
    SCOPED_TRACE(change.second);
    put(trace_names::machine, with(text, change.first, change.second));
    expect_error([&] { read_trace(dir_ / "app"); }, parts);
  }
}

}  // namespace
}  // namespace kith
