// The OpenMP library of the process, if it has one: GCC's libgomp, or LLVM's libomp and its
// relatives.
#pragma once

#include <cstdint>
#include <vector>

namespace kith::preload {

/// How many threads the next team of the calling thread has at most; 0 without OpenMP. May wait for
/// locks of the dynamic linker.
std::uint32_t open_mp_threads() noexcept;

/// The CPUs of all places of OpenMP (OMP_PLACES, OMP_PROC_BIND); empty where it has none.
std::vector<std::uint32_t> open_mp_cpus();

/// Makes a team of the calling thread, as a parallel region does, and calls visit(number of the
/// thread) on each of its threads. False without OpenMP, and inside a parallel region.
bool on_open_mp_team(void (*visit)(std::uint32_t number)) noexcept;

}  // namespace kith::preload
