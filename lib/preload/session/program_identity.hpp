// Who runs in this job, as profiles are kept by it.
#pragma once

#include <string>

#include "comm/private_comm.hpp"

namespace kith::runtime {

/// What tells one build of the running program from another, without reading its file: the identity
/// that the linker gave it (its GNU build-id), else the file's size and date. Empty: not known.
std::string build_of_this_program();

/// Collective. On the root: each program of the job, packed, with how many ranks in a row run it:
/// one part where all ranks run the same with the same arguments. Elsewhere: empty.
std::string gather_program(PrivateComm& private_comm);

}  // namespace kith::runtime
