#include "record/requests.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace kith::record {
namespace {

/// The messages behind one request, followed in memory by the messages themselves.
struct Recipe {
  std::size_t count;
  PreparedMessage* messages() { return reinterpret_cast<PreparedMessage*>(this + 1); }
};

struct Slot {
  std::atomic<MPI_Request> request;
  std::atomic<Recipe*> recipe;  ///< null: forgotten; the slot waits for another request
  std::atomic<bool> taken;
};

/// Open addressing. Readers probe without a lock: what they look for is there since before they
/// looked, and the slots in front of it stay taken until it is forgotten.
struct Table {
  std::size_t mask;
  std::size_t taken;
  std::size_t live;
  Table* spare;  ///< of the same size, out of use; or null
  Slot* slots() { return reinterpret_cast<Slot*>(this + 1); }
  Slot& slot(std::size_t i) { return slots()[i & mask]; }
  std::size_t size() const { return mask + 1; }
};

constinit std::mutex writers;
constinit std::atomic<Table*> current{nullptr};

Table* make_table(std::size_t slots) {
  auto* const table = static_cast<Table*>(std::calloc(1, sizeof(Table) + slots * sizeof(Slot)));
  if (table != nullptr) table->mask = slots - 1;
  return table;
}

// Handles are aligned addresses or small numbers: spread them over all bits.
std::size_t first_probe(const Table& table, MPI_Request request) {
  return (handle_key(request) * 0x9e3779b97f4a7c15ULL >> 20) & table.mask;
}

Slot* find(Table* table, MPI_Request request) {
  if (table == nullptr) return nullptr;
  for (std::size_t i = first_probe(*table, request);; ++i) {
    Slot& slot = table->slot(i);
    if (!slot.taken.load(std::memory_order_acquire)) return nullptr;
    if (slot.request.load(std::memory_order_relaxed) == request) return &slot;
  }
}

// Requires that `request` is not in the table, and room for one more.
void insert(Table& table, MPI_Request request, Recipe* recipe) {
  std::size_t i = first_probe(table, request);
  while (table.slot(i).recipe.load(std::memory_order_relaxed) != nullptr) ++i;
  Slot& slot = table.slot(i);
  slot.request.store(request, std::memory_order_relaxed);
  slot.recipe.store(recipe, std::memory_order_release);
  if (!slot.taken.exchange(true, std::memory_order_release)) ++table.taken;
  ++table.live;
}

// No request lies behind forgotten slots at the end of a run: they are given back, so that handles
// that never come again fill no table.
void forget(Table& table, Slot* slot) {
  std::free(slot->recipe.exchange(nullptr, std::memory_order_acq_rel));
  --table.live;
  auto i = static_cast<std::size_t>(slot - table.slots());
  if (table.slot(i + 1).taken.load(std::memory_order_relaxed)) return;
  for (;; --i) {
    Slot& last = table.slot(i);
    const bool is_forgotten = last.taken.load(std::memory_order_relaxed) &&
                              last.recipe.load(std::memory_order_relaxed) == nullptr;
    if (!is_forgotten) return;
    last.taken.store(false, std::memory_order_release);
    --table.taken;
  }
}

// A table of that size: the one that was in use before the last one, or new. A start that has been
// probing the former since then may miss its request: one message is not counted.
Table* empty_table(Table* old, std::size_t size) {
  if (old == nullptr || old->size() != size || old->spare == nullptr) return make_table(size);
  Table* const table = std::exchange(old->spare, nullptr);
  for (std::size_t i = 0; i < size; ++i) {
    table->slot(i).recipe.store(nullptr, std::memory_order_relaxed);
    table->slot(i).taken.store(false, std::memory_order_release);
  }
  table->taken = table->live = 0;
  return table;
}

// Room for one more; forgotten requests are left behind. Null when memory is exhausted.
Table* with_room() {
  Table* const table = current.load(std::memory_order_relaxed);
  if (table != nullptr && (table->taken + 1) * 2 <= table->size()) return table;
  std::size_t size = table == nullptr ? 64 : table->size();
  while (table != nullptr && size < table->live * 4) size *= 2;
  Table* const fresh = empty_table(table, size);
  if (fresh == nullptr) return nullptr;
  for (std::size_t i = 0; table != nullptr && i < table->size(); ++i) {
    Recipe* const recipe = table->slot(i).recipe.load(std::memory_order_relaxed);
    if (recipe != nullptr) insert(*fresh, table->slot(i).request.load(), recipe);
  }
  // The old table is not freed: a start may be probing it. It serves again, or the next one is
  // twice as large: all of them together take less than four times the last.
  if (table != nullptr && table->size() == size) fresh->spare = table;
  current.store(fresh, std::memory_order_release);
  return fresh;
}

Recipe* make_recipe(std::span<const PreparedMessage> messages) {
  auto* const recipe = static_cast<Recipe*>(std::malloc(sizeof(Recipe) + messages.size_bytes()));
  if (recipe == nullptr) return nullptr;
  recipe->count = messages.size();
  std::ranges::copy(messages, recipe->messages());
  return recipe;
}

}  // namespace

void remember_messages(MPI_Request request, std::span<const PreparedMessage> messages) {
  Recipe* const recipe = messages.empty() ? nullptr : make_recipe(messages);
  const std::scoped_lock lock(writers);
  // The handle may be that of an earlier request, freed where we did not see it.
  Table* const before = current.load(std::memory_order_relaxed);
  if (Slot* const slot = find(before, request)) {
    if (slot->recipe.load(std::memory_order_relaxed) != nullptr) forget(*before, slot);
  }
  if (recipe == nullptr) return;
  if (Table* const table = with_room()) {
    insert(*table, request, recipe);
  } else {
    std::free(recipe);  // the program's own request is fine; only our count of it is lost
  }
}

void forget_messages(MPI_Request request) {
  if (messages_of(request).empty()) return;  // the usual case: no lock
  remember_messages(request, {});
}

std::span<const PreparedMessage> messages_of(MPI_Request request) {
  Slot* const slot = find(current.load(std::memory_order_acquire), request);
  if (slot == nullptr) return {};
  Recipe* const recipe = slot->recipe.load(std::memory_order_acquire);
  if (recipe == nullptr) return {};
  return {recipe->messages(), recipe->count};
}

}  // namespace kith::record
