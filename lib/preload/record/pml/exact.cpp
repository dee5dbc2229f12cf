#include "record/pml/exact.hpp"

#include <atomic>

#include "mpi/library.hpp"
#include "record/pml/pml.hpp"
#include "record/thread_record.hpp"

namespace kith::record {
namespace {

CommunicatorLayout layout;
constinit std::atomic<bool> active{false};
constinit std::atomic<bool> not_everywhere{false};
bool by_monitoring_call = false;  // source 2 instead of 1

bool look_at(MPI_Comm comm) {
  const bool exact = layout.sends_through_message_layer(comm);
  if (!exact && mark_of(comm) == Mark::none) not_everywhere.store(true, std::memory_order_relaxed);
  // Source 2 does not know the communicator of a message: it counts what it sees, on all of them.
  return exact || by_monitoring_call;
}

}  // namespace

void prepare_exact(bool by_monitoring) {
  // 5.0 is looked into by neither way, and has monitoring off unless its user wants it.
  if (!monitoring_fits() || (function_table_fits() && !by_monitoring)) return;
  ask_for_monitoring();
  by_monitoring_call = true;
}

std::string install_exact() {
  if (by_monitoring_call) {
    stop_asking_for_monitoring();
  } else if (!function_table_fits()) {
    return "no known message layer in " + mpi::library_identity().text;
  }
  if (!layout.find()) return "the MPI library's communicators have an unknown layout";
  return by_monitoring_call ? install_monitoring_call() : install_function_table(layout);
}

void remove_exact() {
  if (by_monitoring_call) {
    remove_monitoring_call();
  } else {
    remove_function_table();
  }
}

void begin_exact() {
  active.store(true, std::memory_order_release);
  set_classifying(true);
}

void end_exact() {
  set_classifying(false);
  active.store(false, std::memory_order_release);
  remove_exact();
}

bool counted_exactly(MPI_Comm comm) {
  if (!active.load(std::memory_order_acquire)) return false;
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return false;
  ExactCache& cache = record->exactness;
  const std::uint32_t stamp = communicator_stamps.of(comm);
  ExactCache::Line& line = cache.line[handle_key(comm) % ExactCache::lines];
  if (!line.known || line.comm != comm || line.stamp != stamp) [[unlikely]] {
    line = {comm, stamp, true, look_at(comm)};
  }
  return line.exact;
}

bool some_not_exact() {
  return not_everywhere.load(std::memory_order_relaxed);
}

void mark_as_ours(MPI_Comm comm) {
  set_mark(comm, Mark::ours);
}

void unmark(MPI_Comm comm) {
  set_mark(comm, Mark::none);
}

}  // namespace kith::record
