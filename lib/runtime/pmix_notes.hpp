// A note that each process under Kith leaves with PMIx, and that the MPI library itself spreads.
#pragma once

#include <optional>
#include <vector>

namespace kith::runtime {

/// Before PMPI_Init, not collective: leaves this process's note with the PMIx library that the MPI
/// library is going to use (Open MPI 4.1 with an external PMIx, 5.0) and that the launcher serves.
/// PMPI_Init hands all notes to everybody. Nothing where there is no such PMIx.
void leave_pmix_note() noexcept;

/// After PMPI_Init, not collective, but to be called wherever the note was left: the ranks below
/// `size` of this job whose note is not there, the same on all ranks. Nothing where this process
/// could not leave one: then nobody knows. Ends our use of PMIx.
std::optional<std::vector<int>> ranks_without_note(int size);

}  // namespace kith::runtime
