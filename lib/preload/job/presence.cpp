#include "job/presence.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "comm/private_comm.hpp"
#include "core/log.hpp"
#include "job/pmi_notes.hpp"
#include "mpi/late_mpi.h"

namespace kith::preload {
namespace {

constexpr double patience_seconds = 10;
/// Until a rank that waits for the others says so, where nothing tells whether they will come.
constexpr double silence_seconds = 30;
constexpr char note[] = "present";

std::string own_note;  // name of the note that this rank left; empty: none
bool is_speaker = false;

struct Program {
  int first;  ///< rank
  int ranks;
};

// From OMPI_APP_CTX_NUM_PROCS="2 3" (ranks are dealt out program by program; OMPI_FIRST_RANKS,
// which should tell, says "0 0" in Open MPI 4.1).
std::vector<Program> programs_of_job() {
  const char* const text = std::getenv("OMPI_APP_CTX_NUM_PROCS");
  if (text == nullptr) return {};
  std::vector<Program> programs;
  int before = 0;
  const char* at = text;
  const char* const end = text + std::strlen(text);
  while (at != end) {
    int processes = 0;
    const auto [stop, error] = std::from_chars(at, end, processes);
    if (error != std::errc{}) return {};
    programs.push_back({before, processes});
    before += processes;
    at = stop;
    while (at != end && *at == ' ') ++at;
  }
  return programs;
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

/// "3, 5-7"
std::string list_of(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text.append(", ");
    text.append(std::to_string(ranks[i]));
    if (last > i) text.append("-").append(std::to_string(ranks[last]));
    i = last + 1;
  }
  return text;
}

/// Of the ranks `missing`, ascending.
Presence presence_of_ranks(int rank, int size, std::vector<int> missing) {
  Presence presence;
  if (missing.empty()) return presence;
  int first_present = 0;
  while (std::ranges::binary_search(missing, first_present)) ++first_present;
  is_speaker = rank == first_present;
  const bool is_one = missing.size() == 1;
  presence.reason.append(is_one ? "rank " : "ranks ").append(list_of(missing));
  presence.reason.append(" of ").append(std::to_string(size)).append(is_one ? " does" : " do");
  presence.reason.append(
      " not run under Kith (a static program, another MPI library, a container or a script that "
      "drops LD_PRELOAD or the settings?)");
  presence.missing = std::move(missing);
  return presence;
}

/// Each program's first rank leaves a note with the launcher's name service.
Presence presence_of_programs(int rank, int size) {
  const std::vector<Program> programs = programs_of_job();
  if (programs.size() < 2) return {};
  for (const Program& program : programs) {
    if (program.first != rank) continue;
    own_note = note_name(rank);
    if (PMPI_Publish_name(own_note.c_str(), MPI_INFO_NULL, note) != MPI_SUCCESS) own_note.clear();
  }
  const double deadline = PMPI_Wtime() + patience_seconds;
  std::vector<int> missing;
  for (const Program& program : programs) {
    if (wait_for_note(program.first, deadline)) continue;
    for (int i = 0; i < program.ranks; ++i) missing.push_back(program.first + i);
  }
  return presence_of_ranks(rank, size, std::move(missing));
}

/// Nothing told whether all ranks run under Kith: all that do meet here. A rank that does not come
/// can't be gone without, but the user learns what the job waits for.
void meet(int rank) {
  MPI_Request everybody = MPI_REQUEST_NULL;
  if (PMPI_Ibarrier(MPI_COMM_WORLD, &everybody) != MPI_SUCCESS) return;
  const double begin = PMPI_Wtime();
  bool is_told = rank > 1;  // one speaks for all; rank 1 where rank 0 is the one without Kith
  int done = 0;
  while (PMPI_Test(&everybody, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
    const double waited = PMPI_Wtime() - begin;
    if (waited < 1) continue;  // as in any collective call
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
    if (is_told || waited < silence_seconds + rank) continue;
    is_told = true;
    log_line("rank " + std::to_string(rank) +
             " still waits for all ranks to join. If this line stays the last one, some of them do "
             "not run under Kith (a "
             "static program, a container or a script that drops LD_PRELOAD?): end the job, and "
             "start it without Kith or "
             "with Kith on all ranks");
  }
}

/// The others find this rank's note missing, and say so.
Presence presence_without_own_note(int rank) {
  Presence presence;
  presence.missing = {rank};
  presence.reason.append("rank ").append(std::to_string(rank));
  presence.reason.append(
      " could not let the others know through the launcher that it runs under Kith");
  log_line("off for this run: " + presence.reason);
  return presence;
}

}  // namespace

void announce_presence(const PresenceNote& own) noexcept {
  leave_pmix_note(own);
  leave_pmi_note(own);
}

void announce_presence_in_session(const PresenceNote& own) noexcept {
  if (own.joins_at_init || own.joins_at_topologies) leave_pmi_note(own);
}

Presence find_presence(Joins where) {
  const ErrorsReturned guard(MPI_COMM_WORLD);
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (could_not_leave_pmix_note() || could_not_leave_pmi_note()) {
    return size > 1 ? presence_without_own_note(rank) : Presence{};
  }
  PresenceNote wanted;
  (where == Joins::at_init ? wanted.joins_at_init : wanted.joins_at_topologies) = true;
  if (auto missing = ranks_without_note(size, wanted)) {
    return presence_of_ranks(rank, size, std::move(*missing));
  }
  if (auto missing = ranks_without_pmi_note(size, wanted)) {
    return presence_of_ranks(rank, size, std::move(*missing));
  }
  if (where == Joins::at_topologies) return {};
  Presence presence = presence_of_programs(rank, size);
  if (presence.reason.empty()) meet(rank);
  return presence;
}

bool launcher_takes_notes() noexcept {
  return pmix_serves_this_job() || pmi_serves_this_job();
}

bool runs_several_programs() {
  return programs_of_job().size() > 1;
}

bool speaks_for_the_present() {
  return is_speaker;
}

void leave() {
  end_pmix_notes();
  if (own_note.empty()) return;
  const ErrorsReturned guard(MPI_COMM_WORLD);
  PMPI_Unpublish_name(own_note.c_str(), MPI_INFO_NULL, note);
  own_note.clear();
}

}  // namespace kith::preload
