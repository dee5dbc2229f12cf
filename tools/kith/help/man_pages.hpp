// Manual pages in roff, from what the help is made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kith::tools {

struct ManPage {
  std::string name;  ///< "kith", "kith-map", "kith-environment"
  int section = 1;
  std::string text;

  /// "kith-map.1"
  std::string file_name() const { return name + "." + std::to_string(section); }
};

/// kith(1), one per subcommand that users type, and kith-environment(7).
std::vector<ManPage> man_pages();

}  // namespace kith::tools
