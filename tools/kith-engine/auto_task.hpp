// KITH_REORDER=auto: the order by the profile of an earlier run, and the profile of this one.
#pragma once

#include "protocol/exchange.hpp"

namespace kith::tools {

/// At MPI_Init: looks the profile up and decides. Beside what reorder_task() takes, "program" says
/// who runs. Answers as reorder_task(), and: "keep" 1 where the run is to be recorded, "begun" what
/// auto_end_task() needs to know of it, "warnings" of bad settings.
Exchange auto_begin_task(const Exchange& request);

/// At MPI_Finalize, of a run that was to be kept: renews the profile. Takes besides "traffic",
/// "new_rank" (empty: the order stayed), "begun" and "reason", why it stayed. Answers "line": what
/// was gained, or why nothing was done.
Exchange auto_end_task(const Exchange& request);

}  // namespace kith::tools
