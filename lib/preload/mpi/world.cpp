#include "mpi/world.hpp"

namespace kith::mpi {

constinit WorldReplacement world_replacement;

namespace {

/// The key of an attribute that marks the reordered world, and that duplicates inherit.
int world_mark = 0;

int copy_mark(MPI_Comm, int, void*, void* value, void* new_value, int* copy) {
  *static_cast<void**>(new_value) = value;
  *copy = 1;
  return MPI_SUCCESS;
}

int drop_mark(MPI_Comm, int, void*, void*) {
  return MPI_SUCCESS;
}

}  // namespace

void replace_world(MPI_Comm world) {
  PMPI_Comm_create_keyval(copy_mark, drop_mark, &world_mark, nullptr);
  PMPI_Comm_set_attr(world, world_mark, nullptr);
  PMPI_Comm_set_name(world, "MPI_COMM_WORLD");
  world_replacement.communicator.store(world, std::memory_order_relaxed);
  world_replacement.active.store(true, std::memory_order_release);
}

void restore_world(MPI_Comm kept) {
  if (kept != MPI_COMM_NULL) PMPI_Comm_delete_attr(kept, world_mark);
  world_replacement.active.store(false, std::memory_order_relaxed);
  PMPI_Comm_free_keyval(&world_mark);
}

bool is_world_or_duplicate(MPI_Comm comm) {
  if (!world_replacement.active.load(std::memory_order_acquire) || comm == MPI_COMM_NULL) {
    return false;
  }
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, world_mark, &value, &found);
  return found != 0;
}

}  // namespace kith::mpi
