#include "record/collectives/model.hpp"

#include <atomic>

#include "record/message_layer/exact.hpp"

namespace kith::record {
namespace {

constinit std::atomic<bool> model_on{false};

}  // namespace

void set_collective_model(bool on) {
  model_on.store(on, std::memory_order_relaxed);
}

std::optional<Member> member_of(MPI_Comm comm) {
  if (!model_on.load(std::memory_order_relaxed) || counted_exactly(comm)) return std::nullopt;
  Member member{comm, 0, 0};
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  if (is_inter != 0) return std::nullopt;
  PMPI_Comm_size(comm, &member.size);
  if (member.size < 2) return std::nullopt;
  PMPI_Comm_rank(comm, &member.rank);
  return member;
}

}  // namespace kith::record
