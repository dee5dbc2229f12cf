// Jobs written by hand, and what it takes to simulate them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "simulate/simulation.hpp"

namespace kith::simulate {

using Kind = Action::Kind;

/// A job of one process a rank, written action by action.
class JobMaker {
 public:
  explicit JobMaker(std::uint32_t ranks) {
    job_.ranks = ranks;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) job_.processes.push_back({rank, {}});
  }

  std::uint32_t message(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
    job_.messages.push_back({bytes, from, to, true, true});
    return static_cast<std::uint32_t>(job_.messages.size() - 1);
  }
  JobMaker& compute(std::uint32_t process, double seconds) {
    job_.processes[process].actions.push_back(Action::compute(seconds));
    return *this;
  }
  /// The process waits for its end; not so with post().
  JobMaker& call(std::uint32_t process, Kind kind, std::uint32_t message) {
    job_.processes[process].actions.push_back(Action::of(kind, message, true));
    return *this;
  }
  JobMaker& post(std::uint32_t process, Kind kind, std::uint32_t message) {
    job_.processes[process].actions.push_back(Action::of(kind, message, false));
    return *this;
  }
  /// A blocking send and its receive.
  JobMaker& pass(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
    const std::uint32_t number = message(from, to, bytes);
    return call(from, Kind::send, number).call(to, Kind::receive, number);
  }
  std::uint32_t add_thread(std::uint32_t rank) {
    job_.processes.push_back({rank, {}});
    return static_cast<std::uint32_t>(job_.processes.size() - 1);
  }

  JobReplay& job() { return job_; }

 private:
  JobReplay job_;
};

constexpr double test_bandwidth = 100e6;  ///< bytes per second between hosts
constexpr double test_latency = 10e-6;

/// A machine with one speed between its hosts, on which calls cost nothing.
struct TestBed {
  explicit TestBed(std::string_view spec) : machine(parse_machine(spec)) {
    const TreeMachine* const tree = machine->as_tree();
    const std::string level = tree == nullptr ? "network" : tree->levels().front().name;
    network.levels[level] = {test_bandwidth / 1e6, test_latency * 1e6};
    options.send_overhead = 0;
    options.receive_overhead = 0;
  }

  SimulatedRun run(const JobReplay& job) {
    return run(job, identity_mapping(job.ranks, *machine, (job.ranks - 1) / machine->slots() + 1));
  }
  SimulatedRun run(const JobReplay& job, const Mapping& mapping) {
    links = std::make_unique<MachineLinks>(*machine, network);
    return simulate(job, mapping, *machine, *links, options);
  }

  std::unique_ptr<Machine> machine;
  NetworkOptions network;
  SimulationOptions options;
  std::unique_ptr<MachineLinks> links;  ///< of the last run
};

/// Seconds of a message between hosts whose links nobody else uses.
inline double alone(std::uint64_t bytes, double latencies = 1) {
  return latencies * test_latency + static_cast<double>(bytes) / test_bandwidth;
}

}  // namespace kith::simulate
