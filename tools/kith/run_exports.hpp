// What kith run is asked for, and the variables of the ranks that come of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kith/mapper.hpp"
#include "launch/launcher.hpp"

namespace kith::tools {

struct RunOptions {
  std::optional<std::string> trace;
  bool force = false;
  std::optional<std::string> reorder;
  std::optional<Algorithm> algorithm;
  std::optional<std::string> topology;
  bool threads = false;
  std::optional<std::string> bind;
  std::optional<std::string> bind_matrix;
  bool quiet = false;
  bool check = false;
  bool json = false;
  std::optional<std::string> launcher;
};

/// Of our own environment.
std::optional<std::string> variable(const std::string& name);

/// A setting and where it comes from, for messages.
struct PassedSetting {
  std::string value;
  std::string_view where;
};

/// Of the option, or of the variable where the option is not given and the variable is not empty.
std::optional<PassedSetting> either(const std::optional<std::string>& option, std::string_view name,
                                    const char* fallback);

/// All but the library. What the job would trip over is found now, rather than after hours of
/// waiting. Throws Error (input).
Exports make_exports(const RunOptions& options);

/// Whether what the threads of a program without MPI share can be written: NAME.mtx. Throws Error
/// (input).
void check_thread_matrix(const std::string& name, bool force);

/// The launcher rank whose process rank 0 will be; 0 unless a mapping says otherwise, which
/// make_exports() has taken.
std::uint64_t process_of_rank_0(const RunOptions& options);

}  // namespace kith::tools
