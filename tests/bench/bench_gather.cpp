// A simulated gather of a million ranks: see README.md here.
//
// usage: bench_gather [EXTENT [FOLDER]]      EXTENT^3 ranks, 100 by default
//
// Two processes. One stands for all host leaders: it makes the rows of a 3D stencil with 26
// neighbours and packs them as ranks do, a host of 64 ranks at a time. The other is the root: the
// code that merges and writes a job's trace, fed through a pipe instead of MPI; its time and memory
// are what counts.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "kith/detail/generate.hpp"
#include "trace/section_merge.hpp"
#include "trace/trace_output.hpp"

namespace {

using namespace kith::preload;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t ranks_per_host = 64;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// --- what goes through the pipes ----------------------------------------------------------------

void write_all(int fd, const void* data, std::size_t size) {
  for (auto at = static_cast<const char*>(data); size > 0;) {
    const ssize_t n = write(fd, at, size);
    if (n <= 0) throw std::runtime_error("a pipe broke");
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

void read_all(int fd, void* data, std::size_t size) {
  for (auto at = static_cast<char*>(data); size > 0;) {
    const ssize_t n = read(fd, at, size);
    if (n <= 0) throw std::runtime_error("a pipe broke");
    at += n;
    size -= static_cast<std::size_t>(n);
  }
}

/// What the root asks of the leaders; `ranks` is empty for an announcement.
struct Question {
  std::uint64_t host;
  RankRange ranks;
};

// --- the leaders
// ----------------------------------------------------------------------------------

RankTraffic traffic_of(const kith::TrafficMatrix& pattern, std::uint32_t rank) {
  RankTraffic traffic;
  const auto peers = pattern.destinations(kith::Rank(rank));
  const auto weights = pattern.weights(kith::Rank(rank));
  for (std::size_t i = 0; i < peers.size(); ++i) {
    // A run of a thousand steps, and the tree of some reductions where ranks are neighbours anyway.
    const std::uint64_t bytes = weights[i] * 1000;
    traffic.total.sent.push_back(
        {peers[i].value, 1000 + (i == 0 ? 20U : 0U), {bytes, i == 0 ? 160U : 0U, 0}});
  }
  traffic.load = {60'000'000'000ULL + rank, 3'000'000'000, 200'000'000'000};
  traffic.sizes.classes[0].messages[10] = 26'000;
  traffic.sizes.classes[1].messages[4] = 20;
  return traffic;
}

/// Seconds that packing took, and bytes of what was packed.
struct PackingCost {
  double seconds = 0;
  std::uint64_t bytes = 0;
};

HostRows pack_host(const kith::TrafficMatrix& pattern, std::uint64_t host, PackingCost& cost) {
  HostRows rows;
  const auto first = static_cast<std::uint32_t>(host * ranks_per_host);
  for (std::uint32_t rank = first; rank < std::min(first + ranks_per_host, pattern.ranks());
       ++rank) {
    RankTraffic traffic = traffic_of(pattern, rank);
    const auto start = Clock::now();
    std::string packed = pack_rank(rank, divide(std::move(traffic), {}));
    cost.bytes += packed.size();
    rows.add(std::move(packed));
    cost.seconds += seconds_since(start);
  }
  return rows;
}

[[noreturn]] void lead(int questions, int answers, std::uint32_t extent) {
  const auto stencil = kith::make_stencil({extent, extent, extent}, 27, true, {4096, 512, 64});
  const kith::TrafficMatrix pattern = kith::to_matrix(*stencil);
  PackingCost cost;
  for (Question question{};;) {
    read_all(questions, &question, sizeof question);
    if (question.host == UINT64_MAX) break;
    PackingCost ignored;
    const bool announces = question.ranks.end == 0;
    const HostRows rows = pack_host(pattern, question.host, announces ? cost : ignored);
    const std::string answer =
        announces ? pack_announcement(rows.announce(0)) : rows.batch(0, question.ranks);
    const std::uint64_t size = answer.size();
    write_all(answers, &size, sizeof size);
    write_all(answers, answer.data(), answer.size());
  }
  std::printf("leaders: %.2f bytes per entry packed, %.0f ns per entry to pack\n",
              static_cast<double>(cost.bytes) / static_cast<double>(pattern.entries()),
              cost.seconds * 1e9 / static_cast<double>(pattern.entries()));
  std::fflush(stdout);
  _exit(0);
}

// --- the root
// ---------------------------------------------------------------------------------------

class PipedLeaders : public RowHolders {
 public:
  PipedLeaders(int questions, int answers, std::uint32_t ranks)
      : questions_(questions), answers_(answers), ranks_(ranks) {}
  std::size_t count() const override { return (ranks_ + ranks_per_host - 1) / ranks_per_host; }
  std::string announcement(std::size_t holder, std::size_t) override { return ask({holder, {}}); }
  void tell(std::size_t, const BatchPlan& plan) override { batches_ = plan.size(); }
  std::string batch(std::size_t holder, std::size_t, RankRange ranks) override {
    return ask({holder, ranks});
  }
  void end() {
    const Question last{UINT64_MAX, {}};
    write_all(questions_, &last, sizeof last);
  }
  std::size_t batches() const { return batches_; }
  double waited() const { return waited_; }

 private:
  std::string ask(const Question& question) {
    const auto start = Clock::now();
    write_all(questions_, &question, sizeof question);
    std::uint64_t size = 0;
    read_all(answers_, &size, sizeof size);
    std::string answer(size, '\0');
    read_all(answers_, answer.data(), size);
    waited_ += seconds_since(start);
    return answer;
  }

  int questions_;
  int answers_;
  std::uint32_t ranks_;
  std::size_t batches_ = 0;
  double waited_ = 0;
};

std::string peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return line.substr(line.find_first_not_of(" \t", 6));
  }
  return "unknown";
}

std::uint64_t bytes_below(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

void gather(int questions, int answers, std::uint32_t ranks, const std::filesystem::path& folder) {
  TraceContent content;
  content.program = "bench_gather";
  content.collectives = "model";
  content.job.hosts = {{"host", 0}};
  content.job.hardware = {{"", ""}};
  content.job.processes.resize(ranks);
  PipedLeaders leaders(questions, answers, ranks);
  const std::string start_peak = peak_memory();
  const auto start = Clock::now();
  double merged = 0;
  std::string merge_peak;
  const auto stream = [&](SectionWriter& writer) {
    merge_sections(leaders, writer, ranks, 1);
    merged = seconds_since(start);
    merge_peak = peak_memory();
  };
  const std::string problem = write_trace((folder / "t.kith").string(), content, true, stream);
  const double whole = seconds_since(start);
  leaders.end();
  if (!problem.empty()) throw std::runtime_error(problem);
  const auto rows = [&](const char* file) {
    return static_cast<double>(std::filesystem::file_size(folder / "t.kith" / file));
  };
  const double entries = 26.0 * ranks;
  std::printf("root: %u ranks, %.0f entries, %zu batches\n", ranks, entries, leaders.batches());
  std::printf("root: merge and write %.2f s (%.0f ns per entry), without waiting for rows\n",
              merged - leaders.waited(), (merged - leaders.waited()) * 1e9 / entries);
  std::printf("root: machine.json, meta.json and renaming %.2f s\n", whole - merged);
  std::printf("root: bytes.mtx %.2f bytes per entry, the whole trace %.2f\n",
              rows("bytes.mtx") / entries,
              static_cast<double>(bytes_below(folder / "t.kith")) / entries);
  std::printf("root: peak memory %s before, %s after the merge, %s at the end\n",
              start_peak.c_str(), merge_peak.c_str(), peak_memory().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const auto extent =
      static_cast<std::uint32_t>(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 100);
  std::string name = std::string(count > 2 ? arguments[2] : "/tmp") + "/kith-gather-XXXXXX";
  if (extent < 3 || mkdtemp(name.data()) == nullptr) {
    std::fprintf(stderr, "usage: bench_gather [EXTENT of at least 3 [FOLDER]]\n");
    return 2;
  }
  int questions[2];
  int answers[2];
  if (pipe(questions) != 0 || pipe(answers) != 0) return 3;
  const pid_t child = fork();
  if (child == 0) lead(questions[0], answers[1], extent);
  int status = 1;
  try {
    gather(questions[1], answers[0], extent * extent * extent, name);
    waitpid(child, &status, 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_gather: %s\n", error.what());
  }
  std::filesystem::remove_all(name);
  return status;
}
