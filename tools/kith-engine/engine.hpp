// `kith engine`: what libkith.so starts, one process per question. Not for users.
#pragma once

namespace kith::tools {

/// Reads one request (core/exchange.hpp) from standard input, writes one answer to standard output.
/// Every trouble is part of the answer. Returns the exit status: 0 whenever an answer was written.
int run_engine();

}  // namespace kith::tools
