#include "record/record.hpp"

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

void put(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype) {
  if (target < 0) return;  // MPI_PROC_NULL
  count_to_world_rank(CallClass::rma, world_rank_of_target(window, target),
                      bytes_of(count, datatype));
}

void get(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype) {
  if (target < 0) return;
  count_fetched(CallClass::rma, world_rank_of_target(window, target), bytes_of(count, datatype));
}

void get_accumulate(MPI_Win window, int target, MPI_Op op, std::int64_t operand_count,
                    MPI_Datatype operand_type, std::int64_t result_count,
                    MPI_Datatype result_type) {
  if (op != MPI_NO_OP) put(window, target, operand_count, operand_type);
  get(window, target, result_count, result_type);
}

void fetch_and_op(MPI_Win window, int target, MPI_Op op, MPI_Datatype datatype) {
  if (op != MPI_NO_OP) put(window, target, 1, datatype);
  get(window, target, 1, datatype);
}

void compare_and_swap(MPI_Win window, int target, MPI_Datatype datatype) {
  put(window, target, 1, datatype);
  get(window, target, 1, datatype);
}

void forget_windows() {
  window_generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace kith::record
