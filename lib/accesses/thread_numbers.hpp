// The numbers of threads: as kith_bind() counts them.
#pragma once

#include <cstdint>

namespace kith::accesses {

/// Of the calling thread: 0 is the one that runs main, each other has the lowest number that was
/// free when it was created.
std::uint32_t own_number() noexcept;

}  // namespace kith::accesses
