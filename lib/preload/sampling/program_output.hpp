// The matrix of a program without MPI, which leaves no trace: a file when it ends.
#pragma once

#include <string>

namespace kith::preload {

/// When the process ends, its sampled matrix goes to `trace`.mtx (`trace`: a name as in KITH_TRACE;
/// ranks without MPI have their numbers in front of .mtx), unless leave_matrix_to_trace() is called
/// before. Another file there is replaced with `force` only: where it is sure by now that it would
/// be in the way (no MPI library is loaded), the result says so.
std::string write_matrix_at_end(const std::string& trace, bool force);

/// The process is a rank of an MPI job, or a child of one that is sampled.
void leave_matrix_to_trace() noexcept;

}  // namespace kith::preload
