// The matrix: for libkith.so, which puts it into the trace of an MPI job, and else into a file of
// its own when the process ends.
#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "accesses/sharing.hpp"
#include "sharing/matrix_file.hpp"

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

__attribute__((constructor)) void begin() {
  const char* const name = std::getenv("KITH_ACCESSES");
  if (name == nullptr || *name == '\0') return;
  std::string path = name + sharing::ending_of_rank();
  char text[PATH_MAX];
  if (path.front() != '/' && getcwd(text, sizeof text) != nullptr)
    path = std::string(text) + "/" + path;
  if (realpath(path.c_str(), text) != nullptr) path = text;
  output() = {getpid(), path};
}

std::string text_of_all() {
  return sharing::matrix_text(
      threads_seen(),
      "how often thread j touched a line of 64 bytes after thread i, where one of them wrote it",
      count_of);
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
  if (!sharing::write_out(wanted.path, text_of_all())) {
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
  return strdup(kith::accesses::text_of_all().c_str());
}
