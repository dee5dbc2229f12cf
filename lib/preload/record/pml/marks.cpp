#include "record/pml/pml.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "record/call_context.hpp"
#include "record/counting.hpp"
#include "record/pml/exact.hpp"

namespace kith::record {
namespace {

constinit std::atomic<bool> classifying{false};

// Inside a call that our wrappers see? Then an internal message belongs to it, or to a nonblocking
// collective that made progress there.
CallClass internal_class() {
  const bool neighbour = call_context.depth > 0 && call_context.kind == CallKind::neighbour;
  return neighbour ? CallClass::neighbour : CallClass::coll;
}

struct Slot {
  std::atomic<MPI_Comm> comm;
  std::atomic<Mark> mark;  ///< none: free
};

/// Few are ever marked at a time: a list, searched from end to end. Blocks are never freed.
struct Block {
  static constexpr std::size_t size = 64;
  Slot slots[size];
  std::atomic<Block*> next;
};

constinit Block first{};
constinit std::mutex writers;
constinit std::atomic<std::size_t> ever_used{0};  ///< slots that ever had a mark, from the first on

/// Of the slots that ever had a mark, the first for which `wanted` holds; else null.
template <class Visit>
Slot* find_slot(Visit&& wanted) {
  std::size_t left = ever_used.load(std::memory_order_acquire);
  for (Block* block = &first; block != nullptr && left > 0;
       block = block->next.load(std::memory_order_acquire)) {
    for (std::size_t i = 0; i < Block::size && left > 0; ++i, --left) {
      if (wanted(block->slots[i])) return &block->slots[i];
    }
  }
  return nullptr;
}

Slot* slot_of(MPI_Comm comm) {
  return find_slot([&](Slot& slot) {
    return slot.mark.load(std::memory_order_acquire) != Mark::none &&
           slot.comm.load(std::memory_order_relaxed) == comm;
  });
}

/// The slot behind all that ever had a mark.
Slot* fresh_slot() {
  const std::size_t number = ever_used.load(std::memory_order_relaxed);
  Block* block = &first;
  for (std::size_t i = 0; i < number / Block::size; ++i) {
    Block* next = block->next.load(std::memory_order_relaxed);
    if (next == nullptr) {
      next = static_cast<Block*>(std::calloc(1, sizeof(Block)));
      if (next == nullptr) return nullptr;
      block->next.store(next, std::memory_order_release);
    }
    block = next;
  }
  ever_used.store(number + 1, std::memory_order_release);
  return &block->slots[number % Block::size];
}

Slot* free_slot() {
  const auto is_free = [](Slot& slot) { return slot.mark.load() == Mark::none; };
  Slot* const slot = find_slot(is_free);
  return slot != nullptr ? slot : fresh_slot();
}

}  // namespace

void set_mark(MPI_Comm comm, Mark mark) {
  if (mark == Mark::none && mark_of(comm) == Mark::none) return;  // the usual case: no lock
  const std::scoped_lock lock(writers);
  Slot* slot = slot_of(comm);
  if (slot == nullptr) {
    if (mark == Mark::none) return;
    slot = free_slot();
    if (slot == nullptr) return;  // no memory for a mark: its messages count as collective
    slot->comm.store(comm, std::memory_order_relaxed);
  }
  slot->mark.store(mark, std::memory_order_release);
}

Mark mark_of(MPI_Comm comm) {
  Slot* const slot = slot_of(comm);
  return slot == nullptr ? Mark::none : slot->mark.load(std::memory_order_acquire);
}

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
