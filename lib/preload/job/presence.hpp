// Does every rank of this job run under Kith?
#pragma once

#include <string>
#include <vector>

#include "job/pmix_notes.hpp"

namespace kith::runtime {

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
/// PMPI_Init (Open MPI); else, where Open MPI's mpirun says that there are several programs, each
/// one's first rank with the launcher's name service, and everybody looks for a few seconds. Under
/// other launchers Kith cannot tell, and all ranks are taken to be present.
struct Presence {
  /// Launcher ranks without Kith, ascending; the same on all others, but a rank that could not
  /// leave its note names, and logs, itself only.
  std::vector<int> missing;
  std::string reason;  ///< that in words: why to stay out of this run; empty: none is missing
};

/// Where the ranks of a job meet.
enum class Joins { at_init, at_topologies };

/// Before PMPI_Init. Not collective. Says where this rank will meet the others.
void announce_presence(const PmixNote& note) noexcept;

/// After it. Not collective, but called by every rank that runs under Kith and joins there. A rank
/// that runs under Kith and does not join there is missing.
Presence find_presence(Joins where);

/// Whether the launcher started several programs at once, which it may have given different
/// settings: then rank 0 alone says whether something is asked. By the environment.
bool runs_several_programs();

/// Whether this rank is the one to say so: the first that runs under Kith, where some do not.
bool speaks_for_the_present();

/// Takes this rank's note back. Before MPI_Finalize.
void leave();

}  // namespace kith::runtime
