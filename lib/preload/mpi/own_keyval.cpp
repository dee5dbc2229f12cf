#include "mpi/own_keyval.hpp"

#include "mpi/world.hpp"

namespace kith::mpi {
namespace {

constinit std::mutex making;
constinit OwnKeyval* first_of_all = nullptr;
constinit bool is_over = false;

// The library's own null function is one of its symbols, which we must not refer to.
int do_not_copy(MPI_Comm, int, void*, void*, void*, int* copy) {
  *copy = 0;
  return MPI_SUCCESS;
}

/// Open MPI 5.0 never deletes what is kept with MPI_COMM_WORLD, and the key would stay with it.
void drop_from_worlds(int key) {
  for (MPI_Comm world : {MPI_COMM_WORLD, program_world()}) {
    void* value = nullptr;
    int found = 0;
    PMPI_Comm_get_attr(world, key, &value, &found);
    if (found != 0) PMPI_Comm_delete_attr(world, key);
  }
}

}  // namespace

bool OwnKeyval::make() {
  const std::scoped_lock lock(making);
  if (is_over || is_made_.load(std::memory_order_relaxed)) return !is_over;
  int key = 0;
  if (PMPI_Comm_create_keyval(do_not_copy, drop_, &key, nullptr) != MPI_SUCCESS) return false;
  key_.store(key, std::memory_order_relaxed);
  is_made_.store(true, std::memory_order_release);
  next_ = first_of_all;
  first_of_all = this;
  return true;
}

void* OwnKeyval::get(MPI_Comm comm) {
  if (!is_made_.load(std::memory_order_acquire)) return nullptr;
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, key_.load(std::memory_order_relaxed), &value, &found);
  return found != 0 ? value : nullptr;
}

bool OwnKeyval::set(MPI_Comm comm, void* value) {
  if (!is_made_.load(std::memory_order_acquire) && !make()) return false;
  return PMPI_Comm_set_attr(comm, key_.load(std::memory_order_relaxed), value) == MPI_SUCCESS;
}

void free_own_keyvals() noexcept {
  const std::scoped_lock lock(making);
  is_over = true;
  for (OwnKeyval* one = first_of_all; one != nullptr; one = one->next_) {
    one->is_made_.store(false, std::memory_order_relaxed);
    int key = one->key_.load(std::memory_order_relaxed);
    drop_from_worlds(key);
    PMPI_Comm_free_keyval(&key);
  }
  first_of_all = nullptr;
}

}  // namespace kith::mpi
