#include "runtime/decision.hpp"

#include <memory>

namespace kith::runtime {
namespace {

// The library's own null function is one of its symbols, which we must not refer to.
int do_not_copy(MPI_Comm, int, void*, void*, void*, int* copy) {
  *copy = 0;
  return MPI_SUCCESS;
}

int delete_order(MPI_Comm, int, void* value, void*) {
  delete static_cast<Order*>(value);
  return MPI_SUCCESS;
}

int decision_keyval() {
  static const int keyval = [] {
    int made = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(do_not_copy, delete_order, &made, nullptr);
    return made;
  }();
  return keyval;
}

}  // namespace

void attach(MPI_Comm comm, Order order) {
  auto kept = std::make_unique<Order>(std::move(order));
  if (PMPI_Comm_set_attr(comm, decision_keyval(), kept.get()) == MPI_SUCCESS) {
    (void)kept.release();  // delete_order frees it with the communicator
  }
}

const Order* attached(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, decision_keyval(), &value, &found);
  return found != 0 ? static_cast<const Order*>(value) : nullptr;
}

}  // namespace kith::runtime
