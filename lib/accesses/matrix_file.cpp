// The matrix: for libkith.so, which puts it into the trace of an MPI job, and else into a file of
// its own when the process ends.
#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "accesses/sharing.hpp"

namespace kith::accesses {
namespace {

bool write_matrix(std::FILE* file) {
  const std::vector<std::uint32_t> threads = threads_seen();
  std::uint64_t cells = 0;
  for (const std::uint32_t before : threads) {
    for (const std::uint32_t after : threads) cells += count_of(before, after) > 0 ? 1 : 0;
  }
  std::fprintf(file,
               "%%%%MatrixMarket matrix coordinate integer general\n"
               "%% how often thread j touched a line of 64 bytes that thread i had touched last\n"
               "%zu %zu %" PRIu64 "\n",
               threads.size(), threads.size(), cells);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    for (std::size_t j = 0; j < threads.size(); ++j) {
      const std::uint64_t times = count_of(threads[i], threads[j]);
      if (times > 0) std::fprintf(file, "%zu %zu %" PRIu64 "\n", i + 1, j + 1, times);
    }
  }
  return std::fflush(file) == 0 && std::ferror(file) == 0;
}

constinit bool was_taken = false;  // by the trace of the job

/// Complete or not at all: under another name first.
void write_at_end(const std::string& path) {
  const std::string unfinished = path + ".tmp-" + std::to_string(getpid());
  std::FILE* const file = std::fopen(unfinished.c_str(), "w");
  bool is_written = file != nullptr && write_matrix(file);
  if (file != nullptr && std::fclose(file) != 0) is_written = false;
  if (is_written && std::rename(unfinished.c_str(), path.c_str()) == 0) return;
  std::remove(unfinished.c_str());
  std::fprintf(stderr, "kith: %s could not be written\n", path.c_str());
}

/// ".3" for rank 3 of a job: each rank has a file.
std::string ending_of_rank() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* const rank = std::getenv(name)) return std::string(".") + rank;
  }
  return {};
}

__attribute__((destructor)) void end() {
  if (some_were_not_counted()) {
    std::fprintf(stderr,
                 "kith: more than %" PRIu32 " threads at once: those beyond are not counted\n",
                 most_threads);
  }
  const char* const path = std::getenv("KITH_ACCESSES");
  if (path == nullptr || *path == '\0' || was_taken || threads_seen().size() < 2) return;
  write_at_end(path + ending_of_rank());
}

}  // namespace
}  // namespace kith::accesses

extern "C" {

/// How many threads have touched memory so far, those beyond `most` included. `numbers`: of the
/// first `most` of them, ascending; thread 0 is always one.
__attribute__((visibility("default"))) unsigned kith_accesses_threads(unsigned* numbers,
                                                                      unsigned most) {
  const std::vector<std::uint32_t> threads = kith::accesses::threads_seen();
  for (unsigned i = 0; i < most && i < threads.size(); ++i) numbers[i] = threads[i];
  return static_cast<unsigned>(threads.size());
}

/// How often thread number `after` touched a line of 64 bytes that `before` had touched last.
__attribute__((visibility("default"))) unsigned long long kith_accesses_count(unsigned before,
                                                                              unsigned after) {
  return kith::accesses::count_of(before, after);
}

/// The caller keeps the matrix: none is written at the end of the process.
__attribute__((visibility("default"))) void kith_accesses_take(void) {
  kith::accesses::was_taken = true;
}

}  // extern "C"
