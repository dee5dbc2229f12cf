// kith predict --engine simgrid: SimGrid's smpirun replays the timeline on the same links.
#pragma once

#include <filesystem>
#include <string>

#include "kith/mapping.hpp"
#include "simulate/machine_links.hpp"
#include "simulate/simulation.hpp"

namespace kith::tools {

/// Holds the timeline as SimGrid's traces in a temporary folder.
class SimgridEngine {
 public:
  /// Throws Error (input) where there is no smpirun.
  explicit SimgridEngine(const std::filesystem::path& trace);
  ~SimgridEngine();
  SimgridEngine(const SimgridEngine&) = delete;
  SimgridEngine& operator=(const SimgridEngine&) = delete;

  /// Seconds of the job. Its messages move as with Progress::always, and each rank has a processor.
  /// Throws Error: input for too many slots, environment where smpirun fails.
  double seconds(const Mapping& mapping, simulate::MachineLinks& links,
                 const simulate::SimulationOptions& options) const;

 private:
  std::string smpirun_;
  std::filesystem::path folder_;
};

}  // namespace kith::tools
