// The matrix: for libkith.so, which puts it into the trace of an MPI job, and else into a file of
// its own when the process ends.
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "accesses/sharing.hpp"

namespace kith::accesses {
namespace {

/// What is asked for when the process begins: it may go to another folder, and have children.
struct Output {
  pid_t process = 0;
  std::string path;  ///< absolute, links followed; empty: none
};

Output& output() {
  static auto* const one = new Output;
  return *one;
}

/// ".3" for rank 3 of a job: each rank has a file.
std::string ending_of_rank() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* const rank = std::getenv(name)) return std::string(".") + rank;
  }
  return {};
}

__attribute__((constructor)) void begin() {
  const char* const name = std::getenv("KITH_ACCESSES");
  if (name == nullptr || *name == '\0') return;
  std::string path = name + ending_of_rank();
  char text[PATH_MAX];
  if (path.front() != '/' && getcwd(text, sizeof text) != nullptr)
    path = std::string(text) + "/" + path;
  if (realpath(path.c_str(), text) != nullptr) path = text;
  output() = {getpid(), path};
}

std::string matrix_text() {
  const std::uint32_t threads = threads_seen();
  std::string cells;
  std::uint64_t entries = 0;
  for (std::uint32_t before = 0; before < threads; ++before) {
    for (std::uint32_t after = 0; after < threads; ++after) {
      const std::uint64_t times = count_of(before, after);  // once: threads may still be running
      if (times == 0) continue;
      ++entries;
      cells += std::to_string(before + 1) + ' ' + std::to_string(after + 1) + ' ' +
               std::to_string(times) + '\n';
    }
  }
  const std::string size = std::to_string(threads);
  return "%%MatrixMarket matrix coordinate integer general\n"
         "% how often thread j touched a line of 64 bytes that thread i had touched last\n" +
         size + ' ' + size + ' ' + std::to_string(entries) + '\n' + cells;
}

bool write_all(int fd, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return true;
}

/// A regular file is written under another name first, so that it is complete or absent. A device
/// or a pipe is written to directly.
bool write_out(const std::string& path, const std::string& text) {
  struct stat kind {};
  const bool is_there = stat(path.c_str(), &kind) == 0;
  if (is_there && !S_ISREG(kind.st_mode)) {
    const int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    return fd >= 0 && write_all(fd, text) && close(fd) == 0;
  }
  const std::string unfinished = path + ".tmp-" + std::to_string(getpid());
  const int fd = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  bool is_written = write_all(fd, text);
  if (close(fd) != 0) is_written = false;
  if (is_written && std::rename(unfinished.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  std::remove(unfinished.c_str());
  errno = error;
  return false;
}

constinit bool was_taken = false;  // by the trace of the job

__attribute__((destructor)) void end() {
  if (some_were_not_counted()) {
    std::fprintf(stderr,
                 "kith: more than %" PRIu32 " threads at once: those beyond are not counted\n",
                 most_threads);
  }
  const Output& wanted = output();
  if (wanted.path.empty() || wanted.process != getpid() || was_taken || threads_seen() < 2) return;
  if (!write_out(wanted.path, matrix_text())) {
    std::fprintf(stderr, "kith: cannot write %s: %s\n", wanted.path.c_str(), std::strerror(errno));
  }
}

}  // namespace
}  // namespace kith::accesses

/// The matrix as text, for the caller to free(); null where nothing is shared, or without memory.
/// The caller keeps it: no file is written at the end of the process.
extern "C" __attribute__((visibility("default"))) char* kith_accesses_take() {
  kith::accesses::was_taken = true;
  if (kith::accesses::threads_seen() < 2) return nullptr;
  return strdup(kith::accesses::matrix_text().c_str());
}
