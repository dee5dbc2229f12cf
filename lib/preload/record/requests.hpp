// Persistent requests: what each start of one sends.
#pragma once

#include <cstdint>
#include <span>

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

}  // namespace kith::record
