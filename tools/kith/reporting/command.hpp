// What `kith report` is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "kith/goal.hpp"
#include "kith/mapper.hpp"

namespace kith::tools {

struct ReportCommand {
  std::string trace;
  MachineChoice machine;
  std::vector<std::string> mappings;
  std::optional<Goal> goal;  ///< nothing: the default for the machine
  Effort effort = Effort::fast;
  unsigned threads = 1;
  std::optional<std::string> page;
  std::optional<std::string> svg;
  std::optional<std::string> png;
  bool linear = false;
  bool json = false;
};

}  // namespace kith::tools
