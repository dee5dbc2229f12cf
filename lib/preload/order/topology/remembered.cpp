#include "order/topology/remembered.hpp"

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string_view>

#include "order/topology/whereabouts.hpp"

namespace kith::runtime {
namespace {

/// Of this process, for all communicators.
struct Memory {
  static constexpr std::size_t most_ranks = std::size_t{1} << 20;  // in all orders together
  static constexpr std::size_t most_orders = 4096;
  std::mutex mutex;
  std::map<std::uint64_t, Order> orders;
  std::size_t ranks = 0;
};

Memory& memory() {
  static auto* const kept = new Memory;  // never destroyed: MPI may outlive static objects
  return *kept;
}

/// FNV-1a, then mixed, as the members' digests are added up (Stafford's variant 13).
class PartDigest {
 public:
  template <class Number>
  PartDigest& add_number(Number number) {
    std::array<char, sizeof number> bytes;
    std::memcpy(bytes.data(), &number, sizeof number);
    return add_bytes({bytes.data(), bytes.size()});
  }
  PartDigest& add_bytes(std::string_view bytes) {
    for (const char c : bytes) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return *this;
  }
  std::uint64_t mixed() const {
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

std::uint64_t digest_of_part(MPI_Comm comm, Declared declared, const DeclaredGraph& graph) {
  int rank = 0;
  int launcher_rank = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_rank(MPI_COMM_WORLD, &launcher_rank);
  PartDigest digest;
  digest.add_number(rank).add_number(launcher_rank).add_number(declared).add_bytes(graph.edges);
  if (graph.grid) {
    for (const std::uint32_t extent : graph.grid->dims) digest.add_number(extent);
    for (const bool is_periodic : graph.grid->periods) digest.add_number(is_periodic);
  }
  return digest.mixed();
}

}  // namespace

RequestSummary sum_up(MPI_Comm comm, Declared declared, const std::optional<DeclaredGraph>& graph) {
  const ErrorsReturned guard(comm);
  std::array<std::uint64_t, 3> sums{graph ? digest_of_part(comm, declared, *graph) : 0,
                                    graph ? graph->edges.size() : 0, graph ? 0U : 1U};
  check_mpi(PMPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_UINT64_T,
                           MPI_SUM, comm),
            "MPI_Allreduce");
  return {sums[0], sums[1], sums[2] == 0};
}

std::optional<Order> remembered_order(MPI_Comm comm, const RequestSummary& request) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::optional<Order> order;
  try {
    const std::scoped_lock lock(memory().mutex);
    const auto found = memory().orders.find(request.key);
    if (found != memory().orders.end()) order = found->second;
  } catch (const std::bad_alloc&) {
    order.reset();
  }
  if (order && order->apply && order->new_rank.size() != static_cast<std::size_t>(size)) {
    order.reset();  // another request of the same digest
  }
  const ErrorsReturned guard(comm);
  std::array<std::uint64_t, 1> all_know{order ? 1U : 0U};
  agree_on_least(comm, all_know);
  if (all_know[0] == 0) order.reset();
  return order;
}

void remember(const RequestSummary& request, const Order& order) noexcept {
  try {
    const std::scoped_lock lock(memory().mutex);
    Memory& kept = memory();
    if (kept.orders.size() >= Memory::most_orders ||
        kept.ranks + order.new_rank.size() > Memory::most_ranks) {
      kept.orders.clear();
      kept.ranks = 0;
    }
    kept.orders[request.key] = order;
    kept.ranks += order.new_rank.size();
  } catch (const std::bad_alloc&) {
    // The next equal request is decided anew, by all members.
  }
}

}  // namespace kith::runtime
