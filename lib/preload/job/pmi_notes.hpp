// A note of each process under Kith in the key-value space of PMI, by which MPICH's processes talk
// to Hydra, their launcher. PMIx has the like (presence.hpp).
#pragma once

#include <optional>
#include <vector>

namespace kith::preload {

struct PresenceNote;

/// Whether this process is MPICH's and was started by Hydra: then a process that left no note is
/// missed by the others. Not where MPICH has a thread of its own that may talk to Hydra at any time
/// (MPICH_ASYNC_PROGRESS).
bool pmi_serves_this_job() noexcept;

/// Before PMPI_Init, not collective: hands the note to Hydra, whose barrier in PMPI_Init spreads it
/// to all hosts. Nothing where pmi_serves_this_job() is false. The library talks to Hydra from the
/// beginning afterwards, as if nothing had been said. The first note stays. Waits for Hydra's
/// answers, as PMPI_Init does.
void leave_pmi_note(const PresenceNote& note) noexcept;

/// Hydra is there, but has not taken this process's note.
bool could_not_leave_pmi_note() noexcept;

/// After PMPI_Init, not collective: the ranks below `size` of this job whose note is not there or
/// does not say what `wanted` says, ascending, the same on all ranks that left one. One question to
/// this host's part of Hydra for each rank. Nothing where this process left no note.
std::optional<std::vector<int>> ranks_without_pmi_note(int size, const PresenceNote& wanted);

}  // namespace kith::preload
