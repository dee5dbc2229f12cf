// What is remembered by handle: a number for each handle, stamps for reused ones, the messages
// of persistent requests.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "mpi/late_mpi.h"
#include "record/size_histogram.hpp"

namespace kith::record {

/// A message that a start of the request sends.
struct PreparedMessage {
  std::int32_t peer = 0;  ///< world rank; negative: a process outside the world
  CallClass call_class = CallClass::p2p;
  std::uint64_t bytes = 0;
};

/// Thread safe. Remembering and forgetting take a lock, starting does not. The messages are copied;
/// none of them, or no memory for them: the request is forgotten.
void remember_messages(MPI_Request request, std::span<const PreparedMessage> messages);
void forget_messages(MPI_Request request);

/// The messages of a start; empty for other requests. They stay where they are until the request is
/// freed, which no thread may do while another one starts it.
std::span<const PreparedMessage> messages_of(MPI_Request request);

// A number for an MPI handle, whether it is a pointer (Open MPI) or an integer (MPICH).

template <class Handle>
std::uint64_t handle_key(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle) >> 6;  // handles are large, aligned objects
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

/// A number per handle, shared by those that fall on the same place: raised when the handle may
/// come back as another object. What was remembered under an older number is void. Programs free
/// communicators by the thousand: what is known of the others stays.
template <class Handle>
class HandleStamps {
 public:
  std::uint32_t of(Handle handle) const {
    return stamps_[place_of(handle)].load(std::memory_order_relaxed);
  }
  void raise(Handle handle) { stamps_[place_of(handle)].fetch_add(1, std::memory_order_relaxed); }

 private:
  static constexpr std::size_t places = 4096;
  static std::size_t place_of(Handle handle) { return handle_key(handle) % places; }

  std::array<std::atomic<std::uint32_t>, places> stamps_{};
};

}  // namespace kith::record
