// A job's description as the text module wants it.
#pragma once

#include "io/format/trace_text.hpp"
#include "kith/job.hpp"

namespace kith::runtime {

/// The content of machine.json; hardware i is in trace_names::host_xml(i).
MachineText machine_text(const JobDescription& job);

}  // namespace kith::runtime
