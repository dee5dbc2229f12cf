#include "record/message_layer/marks.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace kith::record {
namespace {

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

template <class Visit>
Slot* find_slot(Visit&& wanted) {
  for (Block* block = &first; block != nullptr;
       block = block->next.load(std::memory_order_acquire)) {
    for (Slot& slot : block->slots) {
      if (wanted(slot)) return &slot;
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

Slot* free_slot() {
  const auto is_free = [](Slot& slot) { return slot.mark.load() == Mark::none; };
  if (Slot* const slot = find_slot(is_free)) return slot;
  auto* const block = static_cast<Block*>(std::calloc(1, sizeof(Block)));
  if (block == nullptr) return nullptr;
  Block* last = &first;
  while (Block* const next = last->next.load(std::memory_order_relaxed)) last = next;
  last->next.store(block, std::memory_order_release);
  return &block->slots[0];
}

}  // namespace

void set_mark(MPI_Comm comm, Mark mark) {
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

}  // namespace kith::record
