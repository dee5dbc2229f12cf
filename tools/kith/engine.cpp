// kith engine: one request of libkith.so, see engine/engine.hpp. Hidden, not for users.
#include "kith-engine/engine.hpp"

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "kith/error.hpp"

namespace kith::tools {

std::function<void()> set_up_engine(CLI::App&) {
  return [] {
    if (run_engine() != 0) throw environment_error("engine: the answer could not be written");
  };
}

}  // namespace kith::tools
