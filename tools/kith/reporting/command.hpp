// What `kith report` is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "kith/goal.hpp"
#include "kith/mapper.hpp"

namespace kith::tools {

/// The words of the command line.
struct ReportCommand {
  std::string trace;
  MachineChoice machine;
  std::vector<std::string> mappings;
  std::optional<std::string> objective;
  std::string effort = "fast";
  std::string threads = "1";
  std::optional<std::string> page;
  std::optional<std::string> svg;
  std::optional<std::string> png;
  bool linear = false;
  bool json = false;
};

/// All that is known before a file is opened.
struct ReportWishes {
  std::optional<Goal> goal;
  Effort effort = Effort::fast;
  unsigned threads = 1;
};

}  // namespace kith::tools
