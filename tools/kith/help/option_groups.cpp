#include "help/option_groups.hpp"

#include <CLI/CLI.hpp>

namespace kith::tools {

void put_in_group(CLI::App& app, const char* heading, std::initializer_list<const char*> options) {
  for (const char* const name : options) app.get_option(name)->group(heading);
}

}  // namespace kith::tools
