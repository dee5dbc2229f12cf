// The command line of kith predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problem.hpp"
#include "simulate/machine_links.hpp"
#include "simulate/simulation.hpp"

namespace CLI {
class App;
}

namespace kith::tools {

/// Another machine than the one that the orders are for.
struct WhatIf {
  double bandwidth_factor = 1;
  double latency_factor = 1;
  double latency_us = -1;  ///< below 0: as it is
  double compute_factor = 1;
  std::uint32_t hosts = 0;  ///< 0: as they are
  std::string words;        ///< as given: "bandwidth=2x, hosts=8"

  bool is_about_links() const {
    return bandwidth_factor != 1 || latency_factor != 1 || latency_us >= 0;
  }
};

enum class Engine : std::uint8_t {
  kith,
  simgrid  ///< smpirun -replay: seconds only
};

struct PredictOptions {
  ProblemOptions problem;
  std::string network_file;  ///< what lies between the job's hosts; empty: as the trace has it
  std::vector<std::string> mappings;
  std::vector<Algorithm> algorithms;  ///< empty: kith, unless mappings are given
  simulate::NetworkOptions network;
  simulate::SimulationOptions simulation;
  std::optional<simulate::Sharing> sharing;  ///< nothing: by what is known of the network
  WhatIf what_if;
  Engine engine = Engine::kith;
  bool whole_run = false;  ///< every pass of every loop is simulated
  bool json = false;
};

void add_predict_options(CLI::App& app, PredictOptions& options);

}  // namespace kith::tools
