#include "record/requests.hpp"

#include <mutex>
#include <new>
#include <unordered_map>

namespace kith::record {
namespace {

// The table is made at the first persistent send and never destroyed: MPI calls may come from exit
// handlers that run after our static objects are gone.
struct Table {
  std::unordered_map<MPI_Request, PreparedSend> sends;
};

constinit std::mutex table_mutex;
constinit Table* table = nullptr;

}  // namespace

void remember_send(MPI_Request request, PreparedSend send) {
  const std::scoped_lock lock(table_mutex);
  try {
    if (table == nullptr) table = new Table;
    table->sends.insert_or_assign(request, send);
  } catch (const std::bad_alloc&) {
    // The program's own request is fine; only our count of it is lost.
  }
}

void forget_send(MPI_Request request) {
  const std::scoped_lock lock(table_mutex);
  if (table != nullptr) table->sends.erase(request);
}

std::optional<PreparedSend> find_send(MPI_Request request) {
  const std::scoped_lock lock(table_mutex);
  if (table == nullptr) return std::nullopt;
  const auto found = table->sends.find(request);
  if (found == table->sends.end()) return std::nullopt;
  return found->second;
}

}  // namespace kith::record
