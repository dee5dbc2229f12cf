#include "record/pml/classify.hpp"

#include <atomic>

#include "record/call_context.hpp"
#include "record/counting.hpp"
#include "record/pml/exact.hpp"
#include "record/pml/marks.hpp"

namespace kith::record {
namespace {

constinit std::atomic<bool> classifying{false};

// Inside a call that our wrappers see? Then an internal message belongs to it, or to a nonblocking
// collective that made progress there.
CallClass internal_class() {
  const bool neighbour = call_context.depth > 0 && call_context.kind == CallKind::neighbour;
  return neighbour ? CallClass::neighbour : CallClass::coll;
}

}  // namespace

void set_classifying(bool on) {
  classifying.store(on, std::memory_order_release);
}

bool is_counted_elsewhere(int tag) {
  if (tag >= 0 && call_context.depth > 0 && call_context.kind == CallKind::p2p) [[likely]]
    return true;
  return call_context.ours || !classifying.load(std::memory_order_relaxed);
}

void classify_message(MPI_Comm comm, MPI_Group group, int dest, std::uint64_t bytes, int tag) {
  const Mark mark = mark_of(comm);
  if (mark == Mark::ours || (mark == Mark::inside_window && tag >= 0)) return;
  if (tag >= 0 && call_context.depth == 0) {
    count_in_group(CallClass::p2p, comm, group, dest, bytes);  // sent past our wrappers
  } else if (counted_exactly(comm)) {
    count_in_group(internal_class(), comm, group, dest, bytes);
  }
}

void classify_to_launcher_rank(int rank, std::uint64_t bytes, int tag) {
  // A tag of the program's kind tells nothing outside a collective: it may be one-sided data.
  const bool collective = call_context.depth > 0 && (call_context.kind == CallKind::collective ||
                                                     call_context.kind == CallKind::neighbour);
  if (tag >= 0 && !collective) return;
  count_message(internal_class(), MPI_COMM_WORLD, rank, bytes);
}

}  // namespace kith::record
