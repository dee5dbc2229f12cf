// The requests that are under way: which thread made them, and as which of its requests.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/late_mpi.h"
#include "timeline/event.hpp"

namespace kith::record {

class ThreadTimeline;

/// Of a communicator's members, or of those that one between two groups receives from.
using WorldRanks = std::vector<int>;

/// A request that is not completed.
struct OpenRequest {
  std::uint64_t number = 0;  ///< of the thread's requests
  std::uint32_t thread = 0;
  bool from_anywhere = false;  ///< a receive whose source or tag its status tells
  bool is_cancelled = false;   ///< MPI_Cancel was called for it; the status tells whether it came
  MPI_Comm comm{};             ///< of a receive from anywhere; null: it was freed meanwhile
  const WorldRanks* members = nullptr;  ///< of that one then; null: not known
  std::uint64_t age = 0;  ///< requests that were opened before it
};

/// Several threads may make and complete requests. Before the first one.
void begin_requests(bool several_threads);

/// `request` was made by this thread, after its event was appended.
void request_opened(ThreadTimeline& thread, MPI_Request request);
/// The same for a receive from any source or with any tag. `members`: where its communicator was
/// freed before it was started.
void receive_opened(ThreadTimeline& thread, MPI_Request request, MPI_Comm comm,
                    const WorldRanks* members = nullptr);
/// The communicator is about to be freed: receives that are under way still have to be told.
void receives_outlive(MPI_Comm comm);
/// The program wants it to end without its message.
void cancel_request(const ThreadTimeline& thread, MPI_Request request);

/// Requests that were opened so far, by all threads.
std::uint64_t opened_requests();

/// Takes an open request of that handle out of the book: of those opened before the call that
/// completed it (when there were `opened`) the oldest of this thread, since sends that were complete
/// at once have equal handles. Else the newest of another thread: older ones are being closed by
/// the threads that completed them, and MPI has given their handle away again. False: none is known.
bool close_request(const ThreadTimeline& thread, MPI_Request request, std::uint64_t opened,
                   OpenRequest& closed);
/// Whether requests are open of which only a status tells what they received, or whether.
bool some_need_status();

/// What a start of a persistent request does.
struct Persistent {
  timeline::Event event;
  std::uint64_t sent = 0;
  MPI_Comm comm{};  ///< of a receive from any source or with any tag
  const WorldRanks* members = nullptr;  ///< OpenRequest's
};
void persistent_made(MPI_Request request, const Persistent& persistent);
void persistent_freed(MPI_Request request);
/// False: no persistent request of that handle is known.
bool find_persistent(MPI_Request request, Persistent& out);

}  // namespace kith::record
