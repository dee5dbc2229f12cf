// What the threads of each rank share, one file for each rank.
#pragma once

#include <cstdint>
#include <string>

#include "comm/private_comm.hpp"
#include "trace/section_writer.hpp"

namespace kith::preload {

/// This rank's matrix as text, of libkith_accesses.so if the program was linked with it, else of
/// the samples; empty if fewer than two threads touched memory, as without memory. From now on
/// threads are not sampled, and that library writes no file of its own.
std::string own_thread_matrix() noexcept;

/// Collective over `private_comm`; first leads_host(). Each rank gives its matrix and the rank that
/// the program sees; the root writes them to `files` (null elsewhere). What is missing, for want of
/// memory, is left out. How many were written, on the root.
std::uint32_t gather_thread_matrices(PrivateComm& private_comm, std::uint32_t rank, std::string own,
                                     FileSet* files);

}  // namespace kith::preload
