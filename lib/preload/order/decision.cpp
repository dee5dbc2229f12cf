#include "order/decision.hpp"

#include <memory>

#include "mpi/own_keyval.hpp"

namespace kith::runtime {
namespace {

int delete_order(MPI_Comm, int, void* value, void*) {
  delete static_cast<Order*>(value);
  return MPI_SUCCESS;
}

constinit mpi::OwnKeyval decisions(delete_order);

}  // namespace

void attach(MPI_Comm comm, Order order) {
  auto kept = std::make_unique<Order>(std::move(order));
  if (decisions.set(comm, kept.get())) {
    (void)kept.release();  // delete_order frees it with the communicator
  }
}

const Order* attached(MPI_Comm comm) {
  return static_cast<const Order*>(decisions.get(comm));
}

}  // namespace kith::runtime
