// A number for an MPI handle, whether it is a pointer (Open MPI) or an integer (MPICH).
#pragma once

#include <cstdint>
#include <type_traits>

namespace kith::record {

template <class Handle>
std::uint64_t handle_key(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle) >> 6;  // handles are large, aligned objects
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

}  // namespace kith::record
