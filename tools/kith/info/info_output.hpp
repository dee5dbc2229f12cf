// What kith info prints of traffic.
#pragma once

#include <string>

#include "info/trace_facts.hpp"
#include "kith/io.hpp"

namespace kith::tools {

std::string info_json(const Trace& trace, const Facts& facts);

/// `name`: as the user called the trace.
std::string info_text(const std::string& name, const Trace& trace, const Facts& facts);

/// Of what threads share: no ranks, no bytes. `comment`: what the matrix counts.
std::string thread_info_text(const Trace& trace, const Facts& facts, const std::string& comment);

}  // namespace kith::tools
