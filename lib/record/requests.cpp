#include "record/requests.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "record/handle_key.hpp"

namespace kith::record {
namespace {

/// The messages behind one request, followed in memory by the messages themselves.
struct Recipe {
  std::size_t count;
  PreparedMessage* messages() { return reinterpret_cast<PreparedMessage*>(this + 1); }
};

struct Slot {
  std::atomic<MPI_Request> request;
  std::atomic<Recipe*> recipe;  ///< null: forgotten; the slot is kept for the handle's next life
  std::atomic<bool> taken;
};

/// Open addressing. Readers probe without a lock: slots are only ever added, and a table that grew
/// stays as it was for those who still look at it.
struct Table {
  std::size_t mask;
  std::size_t used;
  Slot* slots() { return reinterpret_cast<Slot*>(this + 1); }
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
  for (std::size_t i = first_probe(*table, request);; i = (i + 1) & table->mask) {
    Slot& slot = table->slots()[i];
    if (!slot.taken.load(std::memory_order_acquire)) return nullptr;
    if (slot.request.load(std::memory_order_relaxed) == request) return &slot;
  }
}

void insert(Table& table, MPI_Request request, Recipe* recipe) {
  std::size_t i = first_probe(table, request);
  while (table.slots()[i].taken.load(std::memory_order_relaxed)) i = (i + 1) & table.mask;
  Slot& slot = table.slots()[i];
  slot.request.store(request, std::memory_order_relaxed);
  slot.recipe.store(recipe, std::memory_order_relaxed);
  slot.taken.store(true, std::memory_order_release);
  ++table.used;
}

// Room for one more; forgotten requests are left behind. Null when memory is exhausted.
Table* with_room() {
  Table* const table = current.load(std::memory_order_relaxed);
  if (table != nullptr && (table->used + 1) * 2 <= table->mask + 1) return table;
  std::size_t live = 0;
  const std::size_t slots = table == nullptr ? 0 : table->mask + 1;
  for (std::size_t i = 0; i < slots; ++i) live += table->slots()[i].recipe.load() != nullptr;
  std::size_t size = 64;
  while (size < live * 4) size *= 2;
  Table* const fresh = make_table(size);
  if (fresh == nullptr) return nullptr;
  for (std::size_t i = 0; i < slots; ++i) {
    Recipe* const recipe = table->slots()[i].recipe.load();
    if (recipe != nullptr) insert(*fresh, table->slots()[i].request.load(), recipe);
  }
  // The old table is not freed: a start may be probing it. Doubling bounds what is left behind,
  // and programs whose handles come and go reuse slots, as the handles themselves are reused.
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
  if (Slot* const slot = find(current.load(std::memory_order_relaxed), request)) {
    std::free(slot->recipe.exchange(recipe, std::memory_order_acq_rel));
    return;
  }
  if (recipe == nullptr) return;
  if (Table* const table = with_room()) {
    insert(*table, request, recipe);
  } else {
    std::free(recipe);  // the program's own request is fine; only our count of it is lost
  }
}

void forget_messages(MPI_Request request) {
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
