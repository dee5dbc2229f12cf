// The trace directory, written by the root: complete or absent.
#pragma once

#include <string>
#include <vector>

#include "kith/job.hpp"
#include "runtime/traffic_gather.hpp"

namespace kith::runtime {

/// Everything a trace says.
struct TraceContent {
  std::string program;
  std::string mpi_library;
  std::string collectives;  ///< "model" or "off"
  JobDescription job;
  std::vector<RankTraffic> traffic;  ///< by rank of the program
};

/// Absolute path of the directory that KITH_TRACE=`setting` means, ".kith" appended where missing.
std::string trace_directory(const std::string& setting);

/// Why a trace cannot be written there, before the run: it exists and `force` is not given, or its
/// parent is not writable. Empty when it can.
std::string trace_obstacle(const std::string& directory, bool force);

/// Writes under a temporary name beside `directory` and renames; with `force`, an existing trace is
/// replaced. Empty on success, else the reason; nothing is left behind then. Throws std::bad_alloc.
std::string write_trace(const std::string& directory, const TraceContent& content, bool force);

}  // namespace kith::runtime
