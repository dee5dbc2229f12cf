// How many messages a second the simulation of a job handles: halos of several sizes. See
// README.md.
#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "kith/detail/generate.hpp"
#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "simulate/simulation.hpp"

namespace {

using kith::simulate::Action;
using kith::simulate::JobReplay;

struct Case {
  std::vector<std::uint32_t> grid;
  const char* machine;
  std::uint32_t steps;
};

/// Each step: compute for 80 to 120 us, receives, sends of 8 KiB to the neighbours, waits.
JobReplay halo(const kith::TrafficMatrix& neighbours, std::uint32_t steps) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> seconds(80e-6, 120e-6);
  JobReplay job;
  job.ranks = neighbours.ranks();
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank) job.processes.push_back({rank, {}});
  for (std::uint32_t step = 0; step < steps; ++step) {
    const auto first = static_cast<std::uint32_t>(job.messages.size());
    for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
      for (const kith::Rank to : neighbours.destinations(kith::Rank(rank))) {
        job.messages.push_back({8192, rank, to.value, true, true});
      }
    }
    const auto end = static_cast<std::uint32_t>(job.messages.size());
    for (auto& process : job.processes) process.actions.push_back(Action::compute(seconds(random)));
    for (auto m = first; m < end; ++m) {
      job.processes[job.messages[m].receiver].actions.push_back(
          Action::of(Action::Kind::receive, m, false));
    }
    for (auto m = first; m < end; ++m) {
      job.processes[job.messages[m].sender].actions.push_back(
          Action::of(Action::Kind::send, m, false));
    }
    for (auto m = first; m < end; ++m) {
      job.processes[job.messages[m].receiver].actions.push_back(
          Action::of(Action::Kind::wait_receive, m, true));
    }
  }
  return job;
}

/// Of this process: others may be at work on the machine.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void measure(const Case& c, kith::simulate::Sharing sharing, const char* name) {
  const auto machine = kith::parse_machine(c.machine);
  const unsigned points = c.grid.size() == 2 ? 5 : 7;
  const JobReplay job =
      halo(kith::to_matrix(*kith::make_stencil(c.grid, points, true, {1})), c.steps);
  kith::simulate::MachineLinks links(*machine, {});
  kith::simulate::SimulationOptions options;
  options.sharing = sharing;
  const kith::Mapping order = kith::identity_mapping(job.ranks, *machine, 1);
  const double begin = processor_seconds();
  const auto run = kith::simulate::simulate(job, order, *machine, links, options);
  const double taken = processor_seconds() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "%7u ranks %6u steps %-16s %-7s %9zu messages %8.3f s %8.0f thousand/s %6ld MB  (%.4f s)\n",
      job.ranks, c.steps, c.machine, name, job.messages.size(), taken,
      1e-3 * static_cast<double>(job.messages.size()) / taken, usage.ru_maxrss / 1024, run.seconds);
}

}  // namespace

// Arguments: the most ranks of a case that is run, and `fair` or `queued`; without any: all.
int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const unsigned long most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 65536;
  const std::string_view only = argc > 2 ? argv[2] : "";
  const Case cases[] = {{{4, 4}, "tree:4x4", 20000},
                        {{8, 8, 8}, "tree:32x16", 100},
                        {{8, 8, 8}, "torus:8x8x8", 100},
                        {{16, 16, 16}, "tree:256x16", 40},
                        {{32, 32, 64}, "tree:4096x16", 10}};
  for (const Case& c : cases) {
    unsigned long ranks = 1;
    for (const std::uint32_t extent : c.grid) ranks *= extent;
    if (ranks > most) continue;
    if (only != "queued") measure(c, kith::simulate::Sharing::fair, "fair");
    if (only != "fair") measure(c, kith::simulate::Sharing::queued, "queued");
  }
  return 0;
}
