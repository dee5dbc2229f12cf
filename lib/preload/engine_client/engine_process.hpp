// The engine in a process of its own: `kith engine`, started for one request.
#pragma once

#include <chrono>
#include <string>

#include "protocol/exchange.hpp"

namespace kith::runtime {

/// The answer, or why there is none.
struct EngineAnswer {
  bool ok = false;
  Exchange answer;
  std::string problem;  ///< one sentence, no newline; set when not ok
};

/// Starts the program `kith` that belongs to this libkith.so, hands it `request`, waits for its
/// answer and kills it after `budget`. The application notices nothing: no SIGCHLD, no SIGPIPE,
/// none of its handlers, descriptors or LD_PRELOAD in the child. Never throws.
EngineAnswer ask_engine(const Exchange& request, std::chrono::milliseconds budget) noexcept;

/// Path of the program `kith`; empty when it is not where build and install put it.
std::string engine_path();

}  // namespace kith::runtime
