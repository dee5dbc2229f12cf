#include "sampling/program_output.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "comm/catching.hpp"
#include "core/file_content.hpp"
#include "core/log.hpp"
#include "core/thread_creators.hpp"
#include "io/format/trace_name.hpp"
#include "io/format/trace_text.hpp"
#include "mpi/library.hpp"
#include "sampling/access_sampling.hpp"
#include "sharing/matrix_file.hpp"

namespace kith::preload {
namespace {

struct Output {
  std::string path;  ///< absolute: the program may go to another folder
  bool replaces = false;
  bool is_told = true;  ///< of several processes one tells it
};

/// Null: nothing is to be written.
constinit std::atomic<const Output*> the_output{nullptr};

bool has_mpi() {
  const auto paths = mpi::loaded_paths();
  return std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
    return file_name_of(path).starts_with("libmpi");
  });
}

/// Why the matrix cannot be written there; empty: nothing is known.
std::string obstacle(const Output& output) {
  const std::string& path = output.path;
  if (access(path.c_str(), F_OK) == 0) {
    return output.replaces ? "" : path + " exists; KITH_FORCE=1 replaces it";
  }
  if (access(path.substr(0, path.rfind('/') + 1).c_str(), W_OK) == 0) return {};
  return "cannot write " + path + ": " + std::strerror(errno);
}

/// Whether the process is a script, or a command of one, beside the program that is meant: it has
/// had children, or its parent runs under Kith, too.
bool is_beside_program() {
  rusage children{};
  if (getrusage(RUSAGE_CHILDREN, &children) == 0 && children.ru_maxrss > 0) return true;
  const std::string maps = file_content("/proc/" + std::to_string(getppid()) + "/maps");
  return maps.find("/libkith.so") != std::string::npos;
}

std::string path_of(const std::string& trace) {
  std::string name = trace_directory_of(trace);
  name.resize(name.size() - std::string_view(trace_names::directory_suffix).size());
  return name + sharing::ending_of_rank() + ".mtx";
}

__attribute__((destructor)) void write_matrix() {
  const Output* const output = the_output.load();
  if (output == nullptr) return;
  end_sampling();
  done_without_exception([&] {
    const std::string matrix = sampled_matrix();
    if (matrix.empty() && is_beside_program()) return;
    std::string problem = matrix.empty() ? "fewer than two threads were seen" : obstacle(*output);
    if (problem.empty() && !sharing::write_out(output->path, matrix)) {
      problem = "cannot write " + output->path + ": " + std::strerror(errno);
    }
    if (!problem.empty()) return log_line("KITH_THREADS: no matrix was written: " + problem);
    if (!output->is_told) return;
    const bool is_empty = samples_taken() == 0;
    log_line("what the threads share: " + output->path +
             (is_empty ? " (nothing was seen: they have to compute for some seconds)" : ""));
  });
}

}  // namespace

std::string write_matrix_at_end(const std::string& trace, bool force) {
  const std::string rank = sharing::ending_of_rank();
  auto* const output = new Output{path_of(trace), force, rank.empty() || rank == ".0"};
  the_output.store(output);
  return has_mpi() ? std::string() : obstacle(*output);
}

void leave_matrix_to_trace() noexcept {
  the_output.store(nullptr);
}

}  // namespace kith::preload
