// Which of MPI's and Kith's functions the program may call, by what its parts refer to.
#pragma once

#include "job/presence.hpp"

namespace kith::interpose {

/// By all that is loaded now, except the MPI library. No call of MPI. Where memory is short: as if
/// the program called none of them.
runtime::ProgramCalls find_program_calls() noexcept;

}  // namespace kith::interpose
