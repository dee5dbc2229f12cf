#include "runtime/presence.hpp"

#include <time.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mpi/late_mpi.h"
#include "runtime/team.hpp"

namespace kith::runtime {
namespace {

constexpr double patience_seconds = 10;
constexpr char note[] = "present";

std::string own_note;  // name of the note that this rank left; empty: none
bool is_speaker = false;

// The first rank of each program, from OMPI_APP_CTX_NUM_PROCS="2 3" (ranks are dealt out program by
// program; OMPI_FIRST_RANKS, which should tell, says "0 0" in Open MPI 4.1).
std::vector<int> first_ranks() {
  const char* const text = std::getenv("OMPI_APP_CTX_NUM_PROCS");
  if (text == nullptr) return {};
  std::vector<int> ranks;
  int before = 0;
  const char* at = text;
  const char* const end = text + std::strlen(text);
  while (at != end) {
    int processes = 0;
    const auto [stop, error] = std::from_chars(at, end, processes);
    if (error != std::errc{}) return {};
    ranks.push_back(before);
    before += processes;
    at = stop;
    while (at != end && *at == ' ') ++at;
  }
  return ranks;
}

// Several jobs may share a name service.
std::string note_name(int first_rank) {
  const char* job = std::getenv("PMIX_NAMESPACE");
  if (job == nullptr) job = std::getenv("OMPI_MCA_ess_base_jobid");
  return std::string("kith-") + (job == nullptr ? "job" : job) + "-" + std::to_string(first_rank);
}

bool note_of(int first_rank) {
  std::array<char, MPI_MAX_PORT_NAME> found{};
  return PMPI_Lookup_name(note_name(first_rank).c_str(), MPI_INFO_NULL, found.data()) ==
         MPI_SUCCESS;
}

bool wait_for_note(int first_rank, double deadline) {
  while (!note_of(first_rank)) {
    if (PMPI_Wtime() > deadline) return false;
    const timespec pause{0, 50'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace

std::string missing_program() {
  const std::vector<int> programs = first_ranks();
  if (programs.size() < 2) return {};
  const ErrorsReturned guard(MPI_COMM_WORLD);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const int first : programs) {
    if (first != rank) continue;
    own_note = note_name(rank);
    if (PMPI_Publish_name(own_note.c_str(), MPI_INFO_NULL, note) != MPI_SUCCESS) own_note.clear();
  }
  const double deadline = PMPI_Wtime() + patience_seconds;
  std::string reason;
  bool somebody_before = false;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const bool present = wait_for_note(programs[i], deadline);
    if (programs[i] == rank) is_speaker = !somebody_before;
    somebody_before = somebody_before || present;
    if (!present && reason.empty()) {
      reason = "program " + std::to_string(i + 1) + " of this job's " +
               std::to_string(programs.size()) + " does not run under Kith";
    }
  }
  return reason;
}

bool speaks_for_the_present() {
  return is_speaker;
}

void leave() {
  if (own_note.empty()) return;
  const ErrorsReturned guard(MPI_COMM_WORLD);
  PMPI_Unpublish_name(own_note.c_str(), MPI_INFO_NULL, note);
  own_note.clear();
}

}  // namespace kith::runtime
