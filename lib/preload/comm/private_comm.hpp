// Communicators of Kith's own, what travels over them, and how a rank waits for the others.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "mpi/late_mpi.h"
#include "protocol/packer.hpp"

namespace kith::preload {

/// An MPI call of ours failed. Caught at the edge of libkith.so, never seen by the application.
class MpiFailure : public std::runtime_error {
 public:
  MpiFailure(const char* call, int code);
};

/// Throws MpiFailure unless `code` is MPI_SUCCESS.
void check_mpi(int code, const char* call);

/// While it lives, errors on `comm` are returned; then its own handler is back.
class ErrorsReturned {
 public:
  explicit ErrorsReturned(MPI_Comm comm);
  ~ErrorsReturned();
  ErrorsReturned(const ErrorsReturned&) = delete;
  ErrorsReturned& operator=(const ErrorsReturned&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_;
};

/// A private duplicate of a communicator, with one leader per host. Rank 0 is the root and leads
/// its host. All members call each function together; none is ever counted as traffic.
class PrivateComm {
 public:
  /// Collective over `comm`. Throws MpiFailure.
  explicit PrivateComm(MPI_Comm comm);
  ~PrivateComm();
  PrivateComm(const PrivateComm&) = delete;
  PrivateComm& operator=(const PrivateComm&) = delete;

  MPI_Comm comm() const { return all_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  /// True on one member per host. The first call (collective) finds the hosts.
  bool leads_host();

  /// What needs no more than so many bytes always finds memory: spare_memory.cpp.
  static constexpr std::uint64_t little = 8192;

  /// The root's bytes, everywhere. Members wait with back-off: the root may take long, and on an
  /// oversubscribed host they would take its processor. Where one has no memory for them, all
  /// throw.
  std::string broadcast(std::string bytes);
  /// On the root: each member's bytes, by rank. Elsewhere: empty. Host leaders collect first. Where
  /// memory is short the root throws, after it took every member's message: no member is left
  /// waiting.
  std::vector<std::string> gather(std::string bytes);
  /// True when all say yes.
  bool all_agree(bool yes);
  /// The same where some still work and others wait for them: with back-off, as in broadcast().
  bool all_agree_in_time(bool yes);
  /// Takes a step of this member's own that needs memory: true when all members could, and then all
  /// go on. What more than a little memory is needed for comes before the step that others wait in.
  template <class Step>
  bool all_manage(Step&& step) {
    return all_manage_call(
        [](const void* taken) { (*static_cast<const std::remove_reference_t<Step>*>(taken))(); },
        &step);
  }
  /// All members' values added up.
  std::uint64_t sum(std::uint64_t value);
  /// The least of all members' values.
  std::uint64_t least(std::uint64_t value);
  /// The bytes of member `from`, everywhere.
  std::string broadcast_from(int from, std::string bytes);

  /// Seconds by which the steady clock of this member's host is ahead of the root's: 0 on one host,
  /// where nothing is sent. Leaders ask the root some times; the quickest answer counts.
  double clock_ahead();

  // --- by way of the hosts; first leads_host() -------------------------------------------------
  // Senders wait until they are received: nothing piles up at a leader or at the root.

  /// On a leader: what each member of its host sent, its own first; nothing in the place of what
  /// found no memory. Elsewhere: empty.
  std::vector<std::optional<std::string>> gather_on_host(std::string bytes);
  /// The same on all members.
  bool is_on_one_host() const;
  /// On leaders: how many hosts there are, and which of them this is. Leader 0 is the root.
  int hosts() const;
  int leader_number() const;
  /// On a leader other than the root.
  void send_to_root(const std::string& bytes);
  /// On the root: the next bytes of a leader; nothing when there is no memory for them.
  std::optional<std::string> receive_from_leader(int leader);
  /// On leaders: the root's bytes.
  std::string broadcast_to_leaders(std::string bytes);

  /// Known by other means, and to all members: they are on one host. Then no communicator is made
  /// for it.
  void are_on_one_host();

  /// Frees the communicators; collective. The destructor does the same.
  void free();

 private:
  /// The sources that wrap MPI's calls are compiled without exceptions and include this header.
  bool all_manage_call(void (*call)(const void*), const void* step);
  void find_hosts();

  MPI_Comm all_;
  MPI_Comm host_;
  MPI_Comm leaders_;
  int rank_ = 0;
  int size_ = 0;
  bool leader_ = false;
  bool hosts_known_ = false;
};

/// Neither null nor between two groups.
inline bool is_intracommunicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  int is_inter = 0;
  return PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter == 0;
}

/// The first hundred calls do not pause; then the pauses grow to 0.25 ms, and with the wait to 10
/// ms. What passes from member to member waits for a pause of each: with 2 ms they made a short
/// job's start and end 20 ms longer at 16 ranks.
class BackOff {
 public:
  void pause() {
    if (++tests_ < 100) return;
    // Long waits become 3% longer; their looks cost next to nothing, even where many ranks share a
    // core.
    constexpr long longest_ns = 10'000'000;
    constexpr long doubled_up_to_ns = 250'000;
    constexpr long share = 32;
    pause_ns_ = std::min(doubled_up_to_ns, pause_ns_ * 2 + 1000);
    const timespec time{0, std::min(longest_ns, std::max(pause_ns_, slept_ns_ / share))};
    slept_ns_ += time.tv_nsec;
    nanosleep(&time, nullptr);
  }

 private:
  int tests_ = 0;
  long pause_ns_ = 0;
  long slept_ns_ = 0;
};

}  // namespace kith::preload
