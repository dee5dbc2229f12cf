// A note that each process under Kith leaves with PMIx, and that the MPI library itself spreads.
#pragma once

#include <optional>
#include <vector>

namespace kith::runtime {

/// Before PMPI_Init, not collective: leaves this process's note with the PMIx library that the MPI
/// library is going to use (Open MPI 4.1 with an external PMIx, 5.0) and that the launcher serves.
/// PMPI_Init hands all notes to everybody. Nothing where there is no such PMIx.
void leave_pmix_note() noexcept;

/// After PMPI_Init: there is such a PMIx, but it has not taken this process's note, or memory was
/// short. The others will miss it and not wait for this rank, which must not wait for them. Ends
/// our use of PMIx then.
bool could_not_leave_pmix_note() noexcept;

/// After PMPI_Init, not collective, but to be called wherever the note was left: the ranks below
/// `size` of this job whose note is not there, ascending, the same on all ranks. Takes up to 5 s
/// where some are missing and notes have to be asked for (1 s more for every 256 ranks). Nothing
/// where there is no such PMIx: then nobody knows. Ends our use of PMIx.
std::optional<std::vector<int>> ranks_without_note(int size);

}  // namespace kith::runtime
