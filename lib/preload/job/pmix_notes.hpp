// A note that each process under Kith leaves with PMIx, and that the MPI library itself spreads.
#pragma once

#include <optional>
#include <vector>

namespace kith::runtime {

/// What the note says: where this process will meet the others.
struct PmixNote {
  bool joins_at_init = false;
  bool joins_at_topologies = false;
  bool asks = false;  ///< of its own accord, and not because the first rank does
};

/// Before PMPI_Init, not collective: leaves this process's note with the PMIx library that the MPI
/// library is going to use (Open MPI 4.1 with an external PMIx, 5.0) and that the launcher serves.
/// PMPI_Init hands all notes to everybody. Nothing where there is no such PMIx.
void leave_pmix_note(const PmixNote& note) noexcept;

/// After PMPI_Init: there is such a PMIx, but it has not taken this process's note, or memory was
/// short. The others will miss it and not wait for this rank, which must not wait for them. Ends
/// our use of PMIx then.
bool could_not_leave_pmix_note() noexcept;

/// After PMPI_Init, not collective, but to be called wherever the note was left: the ranks below
/// `size` of this job whose note is not there or does not say what `wanted` says, ascending, the
/// same on all ranks that wrote such a note; a rank that left none is among them. Takes up to 5 s
/// where some are missing and notes have to be asked for (1 s more for every 16 ranks of this host
/// and for every 256 ranks). Nothing
/// where there is no such PMIx: then it cannot be known. Ends our use of PMIx.
std::optional<std::vector<int>> ranks_without_note(int size, const PmixNote& wanted);

/// After PMPI_Init: whether rank 0's note says that it asks. Local. Nothing where this process or
/// rank 0 left no note, or there is no such PMIx.
std::optional<bool> first_rank_asks() noexcept;

/// Whether there is such a PMIx: then a process that left no note is missed by the others.
bool pmix_serves_this_job() noexcept;

/// Ends our use of PMIx where it has not ended yet. Before MPI_Finalize.
void end_pmix_notes() noexcept;

}  // namespace kith::runtime
