// Binds the threads of this process to its CPUs: KITH_BIND and kith_bind().
//
// Thread 0 is the one that runs main. The others have the lowest number that is free when they are
// created; a thread that ends gives its number back. So the team of an OpenMP program, whose
// threads are created in the order of their numbers, has these numbers, also when it grows later;
// the threads of nested teams follow behind. Where threads end while others are created, the latter
// may get the numbers behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith::preload {

struct BindingPolicy {
  std::string policy = "compact";
  bool whole_cores = false;
};
/// "scatter:core", "FILE"; nothing for an ending that is neither core nor fine, or an empty policy.
std::optional<BindingPolicy> parse_binding(std::string_view text);

/// Binds the threads that are there (those of the OpenMP team, or the calling one alone) and from
/// now on each new one. Replaces what an earlier call asked for. Empty, or why nothing is bound:
/// one sentence. `is_bad_request`: it is the policy's fault. Throws std::bad_alloc.
std::string bind_threads(const BindingPolicy& policy, bool& is_bad_request);

/// The rank that the program sees: whose matrix of a trace is meant. Until then the launcher's.
void set_program_rank(int rank) noexcept;

/// While MPI_Init starts threads of its own, the main thread may run everywhere again.
void suspend_binding() noexcept;
/// Binds the main thread, by KITH_BIND where no thread was created so far.
void resume_binding() noexcept;

/// At MPI_Finalize: says so where KITH_BIND was set, but no thread was created.
void tell_if_none_was_bound() noexcept;

/// Another library is going to bind and to sample threads: this thread may run everywhere again,
/// and threads that are created from now on are left alone.
void retire_binding() noexcept;

/// The CPUs that the process could use before its threads were bound.
std::vector<std::uint32_t> cpus_of_process();

}  // namespace kith::preload
