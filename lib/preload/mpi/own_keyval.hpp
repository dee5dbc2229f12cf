// Keys of Kith's own for what it keeps with communicators.
#pragma once

#include <atomic>
#include <mutex>

#include "mpi/late_mpi.h"

namespace kith::mpi {

/// Made at first use, gone after free_own_keyvals(). Duplicates of a communicator do not inherit
/// what is kept under it. A static object: constant-initialised, never destroyed.
class OwnKeyval {
 public:
  explicit constexpr OwnKeyval(MPI_Comm_delete_attr_function* drop) : drop_(drop) {}

  /// Null: nothing is kept. Local.
  void* get(MPI_Comm comm);
  /// False where it cannot be kept: the caller's own then. Otherwise `drop` gets it in the end.
  bool set(MPI_Comm comm, void* value);

 private:
  friend void free_own_keyvals() noexcept;
  bool make();

  MPI_Comm_delete_attr_function* drop_;
  std::atomic<int> key_{0};
  std::atomic<bool> is_made_{false};
  OwnKeyval* next_ = nullptr;
};

/// In MPI_Finalize: what is kept stays with its communicators until they end, but is found no more.
void free_own_keyvals() noexcept;

}  // namespace kith::mpi
