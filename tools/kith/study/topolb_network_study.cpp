// Section 5.3 and 5.4 of the paper on TopoLB: a 2D Jacobi program on simulated networks.
#include <fmt/format.h>

#include <memory>

#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "simulate/simulation.hpp"
#include "study/study.hpp"

namespace kith::tools {
namespace {

using simulate::Action;
using simulate::JobReplay;

/// What the paper does not say.
constexpr std::uint64_t message_bytes = 100'000;  // it does of figures 10 and 11
constexpr double compute_seconds = 50e-6;         // "kept low"
constexpr double latency_us = 5;
constexpr double bluegene_megabytes_per_s = 175;  // a link of Blue Gene/L, each way

/// Each iteration: compute, a message to each neighbour, wait for theirs.
JobReplay jacobi(const TrafficMatrix& neighbours, std::uint32_t iterations) {
  JobReplay job;
  job.ranks = neighbours.ranks();
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank) job.processes.push_back({rank, {}});
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const auto first = static_cast<std::uint32_t>(job.messages.size());
    for (simulate::Process& process : job.processes) {
      process.actions.push_back(Action::compute(compute_seconds));
      for (const Rank to : neighbours.destinations(Rank(process.rank))) {
        const auto message = static_cast<std::uint32_t>(job.messages.size());
        job.messages.push_back({message_bytes, process.rank, to.value, true, true});
        process.actions.push_back(Action::of(Action::Kind::send, message, false));
      }
    }
    for (auto message = first; message < job.messages.size(); ++message) {
      std::vector<Action>& receiver = job.processes[job.messages[message].receiver].actions;
      receiver.push_back(Action::of(Action::Kind::receive, message, false));
    }
    for (auto message = first; message < job.messages.size(); ++message) {
      std::vector<Action>& receiver = job.processes[job.messages[message].receiver].actions;
      receiver.push_back(Action::of(Action::Kind::wait_receive, message, true));
    }
  }
  return job;
}

/// The program on a machine.
class NetworkCase {
 public:
  NetworkCase(const std::vector<std::uint32_t>& mesh, const std::string& spec,
              std::uint32_t iterations, std::uint64_t seed)
      : matrix_(to_matrix(*make_stencil(mesh, 5, false, {1}))),
        graph_(TrafficGraph::from(matrix_)),
        machine_(parse_machine(spec)),
        job_(jacobi(matrix_, iterations)),
        seed_(seed) {}

  Mapping order(std::string_view algorithm) const {
    MapOptions options;
    options.objective = Objective::hop_bytes;
    options.seed = seed_;
    // Of processors that are equally near to all: with the other choice TopoCentLB finds what
    // TopoLB finds, which the paper's does not.
    if (algorithm == "topocentlb") options.settings = {{"cheapest", "highest"}};
    return map_ranks(find_algorithm(algorithm), {graph_, *machine_, options}).mapping;
  }

  simulate::SimulatedRun run(const Mapping& mapping, double megabytes_per_s) const {
    simulate::NetworkOptions network;
    network.levels["network"] = {megabytes_per_s, latency_us};
    simulate::MachineLinks links(*machine_, network);
    simulate::SimulationOptions options;
    options.eager_limit = 1e18;  // messages leave when they are sent
    options.send_overhead = 0;
    options.receive_overhead = 0;
    options.wants_critical_path = false;
    return simulate::simulate(job_, mapping, *machine_, links, options);
  }

 private:
  TrafficMatrix matrix_;
  TrafficGraph graph_;
  std::unique_ptr<Machine> machine_;
  JobReplay job_;
  std::uint64_t seed_;
};

constexpr std::string_view algorithms[] = {"random", "topocentlb", "topolb"};

/// Figures 7 to 9.
void vary_bandwidth(std::uint32_t iterations, std::uint64_t seed, StudyReport& report) {
  const NetworkCase scene({8, 8}, "torus:4x4x4", iterations, seed);
  constexpr double of_paper = 2000;
  report.section(
      "2D mesh 8x8 on torus 4x4x4, mean latency of messages and seconds of 2000 iterations");
  for (const double bandwidth : {50.0, 100.0, 200.0, 400.0, 800.0, 1600.0}) {
    double random = 0;
    double central = 0;
    for (const std::string_view algorithm : algorithms) {
      const simulate::SimulatedRun run = scene.run(scene.order(algorithm), bandwidth);
      const double seconds = run.seconds * of_paper / iterations;
      const double latency = 1e6 * run.delivery_seconds /
                             static_cast<double>(std::max<std::uint64_t>(run.messages, 1));
      const std::string name = fmt::format("{:g} MB/s, {}", bandwidth, algorithm);
      report.row(name, "-", fmt::format("{:.0f} us, {:.2f} s", latency, seconds));
      if (algorithm == "random") random = seconds;
      if (algorithm == "topocentlb") central = seconds;
      if (algorithm != "topolb") continue;
      report.row(fmt::format("{:g} MB/s, random against topolb", bandwidth),
                 bandwidth <= 100 ? "more than 2" : "-", fmt::format("{:.2f}", random / seconds));
      report.row(fmt::format("{:g} MB/s, topocentlb against topolb", bandwidth), "1.10 to 1.25",
                 fmt::format("{:.2f}", central / seconds));
    }
  }
}

/// Figures 10 and 11.
void torus_and_mesh(std::uint32_t iterations, std::uint64_t seed, StudyReport& report) {
  constexpr double of_paper = 4000;
  report.section("2D mesh 16x32 on 512 nodes, 175 MB/s a link, seconds of 4000 iterations");
  for (const std::string_view algorithm : algorithms) {
    double torus = 0;
    for (const std::string spec : {"torus:8x8x8", "mesh:8x8x8"}) {
      const NetworkCase scene({16, 32}, spec, iterations, seed);
      const double seconds = scene.run(scene.order(algorithm), bluegene_megabytes_per_s).seconds *
                             of_paper / iterations;
      report.row(fmt::format("{}, {}", spec, algorithm), "-", fmt::format("{:.1f} s", seconds));
      if (torus > 0) {
        report.row(fmt::format("{}, mesh against torus", algorithm),
                   algorithm == "random" ? "most" : "less", fmt::format("{:.2f}", seconds / torus));
      }
      torus = seconds;
    }
  }
}

void run_study(const StudyOptions& options, StudyReport& report) {
  vary_bandwidth(options.full ? 2000 : 100, options.seed, report);
  torus_and_mesh(options.full ? 400 : 10, options.seed, report);
  report.note("The figures have no numbers; what the text says of them stands under paper.");
  report.note("Iterations are alike: fewer are simulated and multiplied, unless --full.");
  report.note(
      fmt::format("Messages of {} bytes, {:g} us of computing an iteration and {:g} us of "
                  "latency; links are shared max-min fairly. The paper says the size for "
                  "figures 10 and 11 only.",
                  message_bytes, 1e6 * compute_seconds, latency_us));
}

}  // namespace

const Study topolb_network_study{
    "topolb-network", "TopoLB, TopoCentLB and random placement on simulated tori and meshes",
    "Agarwal, Sharma, Kale: Topology-aware task mapping for reducing communication contention on "
    "large parallel machines, IPDPS 2006, figures 7 to 11",
    run_study};

}  // namespace kith::tools
