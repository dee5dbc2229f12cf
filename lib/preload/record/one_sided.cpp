#include "record/record.hpp"

#include <optional>

#include "record/counting.hpp"

namespace kith::record {
namespace {

std::uint64_t bytes_of(std::int64_t count, MPI_Datatype datatype) {
  return static_cast<std::uint64_t>(count) * size_of(datatype);
}

int look_up(MPI_Win window, int target) {
  MPI_Group group = MPI_GROUP_NULL;
  if (PMPI_Win_get_group(window, &group) != MPI_SUCCESS) return MPI_UNDEFINED;
  const int peer = world_rank_in(group, target);
  PMPI_Group_free(&group);
  return peer;
}

/// World rank of a window's target; remembered.
int world_rank_of_target(MPI_Win window, int target) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return MPI_UNDEFINED;
  TargetCache& cache = record->targets;
  const std::uint32_t generation = window_generation.load(std::memory_order_relaxed);
  if (cache.generation != generation) [[unlikely]] {
    cache.line.fill({});
    cache.generation = generation;
  }
  TargetCache::Line& line = cache.at(window, target);
  if (!line.known || line.window != window || line.target != target) [[unlikely]] {
    line = {window, target, look_up(window, target), true};
  }
  return line.peer;
}

}  // namespace

namespace {

void count_put(int peer, std::uint64_t bytes) {
  count_to_world_rank(CallClass::rma, peer, bytes);
}

/// What goes to the target and what comes back; nothing: not even an empty message.
void count_exchange(Op op, MPI_Win window, int target, std::optional<std::uint64_t> there,
                    std::optional<std::uint64_t> back, const MPI_Request* request) {
  const int peer = world_rank_of_target(window, target);
  if (there) count_put(peer, *there);
  if (back) count_fetched(CallClass::rma, peer, *back);
  if (has_timeline()) one_sided_event(op, window, peer, there, back, request);
}

}  // namespace

void put(Op op, MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype,
         const MPI_Request* request) {
  if (target < 0) return;  // MPI_PROC_NULL
  count_exchange(op, window, target, bytes_of(count, datatype), std::nullopt, request);
}

void get(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype,
         const MPI_Request* request) {
  if (target < 0) return;
  count_exchange(Op::get, window, target, std::nullopt, bytes_of(count, datatype), request);
}

void get_accumulate(MPI_Win window, int target, MPI_Op op, std::int64_t operand_count,
                    MPI_Datatype operand_type, std::int64_t result_count,
                    MPI_Datatype result_type, const MPI_Request* request) {
  if (target < 0) return;
  std::optional<std::uint64_t> there;
  if (op != MPI_NO_OP) there = bytes_of(operand_count, operand_type);
  count_exchange(Op::get_accumulate, window, target, there, bytes_of(result_count, result_type),
                 request);
}

void fetch_and_op(MPI_Win window, int target, MPI_Op op, MPI_Datatype datatype) {
  if (target < 0) return;
  const std::uint64_t element = bytes_of(1, datatype);
  std::optional<std::uint64_t> there;
  if (op != MPI_NO_OP) there = element;
  count_exchange(Op::fetch_and_op, window, target, there, element, nullptr);
}

void compare_and_swap(MPI_Win window, int target, MPI_Datatype datatype) {
  if (target < 0) return;
  const std::uint64_t element = bytes_of(1, datatype);
  count_exchange(Op::compare_and_swap, window, target, element, element, nullptr);
}

void epoch(Op op, MPI_Win window, int target) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr) return;
  timeline::Event event;
  std::uint64_t sent = 0;
  event.op = op;
  event.comm = number_of(window);
  if (target >= 0) event.peer = peer_of(world_rank_of_target(window, target));
  event.list = thread->take_inner_messages(sent);
  thread->append(event, sent);
}

void epoch_tested(MPI_Win window, int is_over) {
  if (is_over != 0) epoch(Op::wait_epoch, window, -1);
}

void forget_windows() {
  window_generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace kith::record
