// The counters of one thread, and the list of all of them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "mpi/late_mpi.h"
#include "record/load_clock.hpp"
#include "record/peer_table.hpp"
#include "record/requests.hpp"
#include "record/row.hpp"
#include "record/size_histogram.hpp"

namespace kith::record {

class ThreadTimeline;

/// Raised when a communicator is freed.
extern HandleStamps<MPI_Comm> communicator_stamps;
/// Bumped when a handle may be reused for another object: cached look-ups of older generations are
/// void.
extern std::atomic<std::uint32_t> datatype_generation;
extern std::atomic<std::uint32_t> window_generation;

/// Remembers which counter a (communicator, rank) leads to, so that a message to a known peer costs
/// one probe. Direct-mapped; a collision only costs the slow path.
struct PeerCache {
  struct Line {
    MPI_Comm comm;
    std::int32_t rank;
    std::uint32_t stamp;
    RowEntry* entry;
  };
  static constexpr std::size_t lines = 256;

  std::array<Line, lines> line;

  static std::size_t place_of(MPI_Comm comm, int rank) {
    return (handle_key(comm) * 31 + static_cast<unsigned>(rank)) % lines;
  }
  const Line& at(MPI_Comm comm, int rank) const { return line[place_of(comm, rank)]; }
  Line& at(MPI_Comm comm, int rank) { return line[place_of(comm, rank)]; }
};

/// World ranks of (communicator, rank) pairs last prepared for: nothing was sent there yet.
struct RankCache {
  struct Line {
    MPI_Comm comm;
    std::int32_t rank;
    std::int32_t peer;
    std::uint32_t stamp;
    bool known;
  };
  static constexpr std::size_t lines = 64;

  std::array<Line, lines> line;

  Line& at(MPI_Comm comm, int rank) {
    return line[(handle_key(comm) * 31 + static_cast<unsigned>(rank)) % lines];
  }
};

/// World ranks of the window targets last used.
struct TargetCache {
  struct Line {
    MPI_Win window;
    std::int32_t target;
    std::int32_t peer;
    bool known;
  };
  static constexpr std::size_t lines = 64;

  std::array<Line, lines> line;
  std::uint32_t generation;

  Line& at(MPI_Win window, int target) {
    return line[(handle_key(window) * 31 + static_cast<unsigned>(target)) % lines];
  }
};

/// Whether the collectives of the communicators last used are counted in the message layer.
struct ExactCache {
  struct Line {
    MPI_Comm comm;
    std::uint32_t stamp;
    bool known;
    bool exact;
  };
  static constexpr std::size_t lines = 32;

  std::array<Line, lines> line;
};

/// Sizes of the datatypes last used.
struct DatatypeCache {
  struct Line {
    MPI_Datatype datatype;
    std::uint64_t size;
  };
  static constexpr std::size_t lines = 32;

  std::array<Line, lines> line;
  std::uint32_t generation;

  const Line& at(MPI_Datatype datatype) const { return line[handle_key(datatype) % lines]; }
  Line& at(MPI_Datatype datatype) { return line[handle_key(datatype) % lines]; }
};

/// One per thread that ever sent; allocated zeroed at first contact, given to a new thread when its
/// own has ended, never freed while MPI runs: a program with many short threads stays bounded.
struct ThreadRecord {
  PeerTable sent;
  PeerTable fetched;  ///< by gets of this thread
  RowEntry foreign;   ///< to processes that are no rank of this job's world; its peer means nothing
  LiveSizeHistogram sizes;
  LoadClock load;
  PeerCache peers;
  RankCache ranks;
  ExactCache exactness;
  TargetCache targets;
  DatatypeCache datatypes;
  ThreadTimeline* timeline;  ///< null where none is kept
  std::atomic<bool> abandoned;
  ThreadRecord* next;
};

/// Whether threads that have no record get one: set_recording().
extern std::atomic<bool> recording;
/// Gives this thread a record; see below.
ThreadRecord* first_contact();

/// This thread's record. Null before recording began, or when memory is exhausted.
inline ThreadRecord* this_thread_record() {
  ThreadRecord* const record = call_context.record;
  if (record != nullptr) return record;
  // Where nothing is recorded, polls of a few ns should not grow by a call.
  return recording.load(std::memory_order_relaxed) ? first_contact() : nullptr;
}

/// All records, in no order; for gathering.
ThreadRecord* first_thread_record();

/// Starts and stops this_thread_record() giving records to threads that have none.
void set_recording(bool on);

}  // namespace kith::record
