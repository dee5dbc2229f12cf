// Does every rank of this job run under Kith?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kith::preload {

// A note that each process under Kith leaves with PMIx, and that the MPI library itself spreads.

/// What a note says: where this process will meet the others.
struct PresenceNote {
  bool joins_at_init = false;
  bool joins_at_topologies = false;
  bool asks = false;  ///< of its own accord, and not because the first rank does

  /// As it is handed over: a note that says all that another one says has all of its bits.
  std::uint8_t bits() const {
    return static_cast<std::uint8_t>(1 | (joins_at_init ? 2 : 0) | (joins_at_topologies ? 4 : 0) |
                                     (asks ? 8 : 0));
  }
};

/// Before PMPI_Init, not collective: leaves this process's note with the PMIx library that the MPI
/// library is going to use (Open MPI 4.1 with an external PMIx, 5.0) and that the launcher serves.
/// PMPI_Init hands all notes to everybody. Nothing where there is no such PMIx.
void leave_pmix_note(const PresenceNote& note) noexcept;

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
std::optional<std::vector<int>> ranks_without_note(int size, const PresenceNote& wanted);

/// After PMPI_Init: whether rank 0's note says that it asks. Local. Nothing where this process or
/// rank 0 left no note, or there is no such PMIx.
std::optional<bool> first_rank_asks() noexcept;

/// Whether there is such a PMIx: then a process that left no note is missed by the others.
bool pmix_serves_this_job() noexcept;

/// Ends our use of PMIx where it has not ended yet. Before MPI_Finalize.
void end_pmix_notes() noexcept;

/// What the program may ask of Kith without a setting: functions that a part of it refers to.
struct ProgramCalls {
  bool kith = false;        ///< kith.h
  bool python = false;      ///< a Python interpreter, which can load kith.h's functions later
  bool maps = false;        ///< MPI_Cart_map, MPI_Graph_map
  bool topologies = false;  ///< MPI's functions with an argument `reorder`
};

/// The preload may have reached only some ranks: a static program, a container, another program of
/// an MPMD launch. The first collective call of ours would then wait for ever. So each process
/// leaves a note outside of MPI's messages: with PMIx, where the MPI library spreads it during
/// PMPI_Init (Open MPI), or with Hydra (MPICH); else, where Open MPI's mpirun says that there are
/// several programs, each one's first rank with the launcher's name service, and everybody looks
/// for a few seconds. Under other launchers Kith cannot tell: a rank without Kith makes the others
/// wait, and they say so after half a minute.
struct Presence {
  /// Launcher ranks without Kith, ascending; the same on all others, but a rank that could not
  /// leave its note names, and logs, itself only.
  std::vector<int> missing;
  std::string reason;  ///< that in words: why to stay out of this run; empty: none is missing
};

/// Where the ranks of a job meet.
enum class Joins { at_init, at_topologies };

/// Before PMPI_Init. Not collective. Says where this rank will meet the others.
void announce_presence(const PresenceNote& note) noexcept;

/// Before the first MPI_Session_init: as much of that as cannot be done later, when MPI has begun.
void announce_presence_in_session(const PresenceNote& note) noexcept;

/// After PMPI_Init. Not collective, but called by every rank that runs under Kith and joins there.
/// A rank that runs under Kith and does not join there is missing.
Presence find_presence(Joins where);

/// Whether the launcher takes such notes: then a process that left none is missed by the others.
bool launcher_takes_notes() noexcept;

/// Whether the launcher started several programs at once, which it may have given different
/// settings: then rank 0 alone says whether something is asked. By the environment.
bool runs_several_programs();

/// Whether this rank is the one to say so: the first that runs under Kith, where some do not.
bool speaks_for_the_present();

/// Takes this rank's note back. Before MPI_Finalize.
void leave();

}  // namespace kith::preload
