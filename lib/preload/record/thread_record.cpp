#include "record/thread_record.hpp"

#include <pthread.h>

#include <cstdlib>

#include "record/call_context.hpp"
#include "record/timeline/thread_timeline.hpp"

namespace kith::record {

constinit thread_local CallContext call_context{};
constinit HandleStamps<MPI_Comm> communicator_stamps;
constinit std::atomic<std::uint32_t> datatype_generation{1};
constinit std::atomic<std::uint32_t> window_generation{1};

constinit std::atomic<bool> recording{false};

namespace {

constinit std::atomic<ThreadRecord*> all_records{nullptr};
pthread_key_t thread_end_key;
constinit std::atomic<bool> have_key{false};

void abandon(void* record) {
  call_context.record = nullptr;
  static_cast<ThreadRecord*>(record)->abandoned.store(true, std::memory_order_release);
}

// A forked child is no MPI process: what it would count belongs to no rank, and the counters that
// it inherits may lie in its parent's row file.
void forget_in_child() {
  call_context.record = nullptr;
  recording.store(false, std::memory_order_relaxed);
}

ThreadRecord* adopt_abandoned() {
  ThreadRecord* record = all_records.load(std::memory_order_acquire);
  for (; record != nullptr; record = record->next) {
    bool expected = true;
    if (record->abandoned.compare_exchange_strong(expected, false, std::memory_order_acquire)) {
      return record;
    }
  }
  return nullptr;
}

ThreadRecord* make_record() {
  auto* const record = static_cast<ThreadRecord*>(std::calloc(1, sizeof(ThreadRecord)));
  if (record == nullptr) return nullptr;
  record->timeline = new_thread_timeline();
  record->next = all_records.load(std::memory_order_relaxed);
  while (!all_records.compare_exchange_weak(record->next, record, std::memory_order_release)) {
  }
  return record;
}

}  // namespace

ThreadRecord* first_contact() {
  ThreadRecord* record = adopt_abandoned();
  if (record != nullptr) {
    record->load.restart();
    if (record->timeline != nullptr) record->timeline->restart();
  } else {
    record = make_record();
  }
  if (record != nullptr && have_key.load(std::memory_order_acquire)) {
    pthread_setspecific(thread_end_key, record);
  }
  call_context.record = record;
  return record;
}

ThreadRecord* first_thread_record() {
  return all_records.load(std::memory_order_acquire);
}

void set_recording(bool on) {
  if (on && !have_key.load(std::memory_order_acquire)) {
    pthread_atfork(nullptr, nullptr, forget_in_child);
    if (pthread_key_create(&thread_end_key, abandon) == 0) {
      have_key.store(true, std::memory_order_release);
    }
  }
  recording.store(on, std::memory_order_relaxed);
}

}  // namespace kith::record
