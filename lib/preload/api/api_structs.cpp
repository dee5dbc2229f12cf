#include "api/reordering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "mpi/late_binding.hpp"
#include "mpi/late_mpi.h"

// kith.h for other languages: handles are the integers that MPI gives Fortran, which are the same
// in every MPI library. The module `kith` of lib/bindings/fortran and the package `kith` of
// lib/bindings/python call these.

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace {

/// MPI_COMM_NULL for an integer that is no handle: Open MPI then converts to a null pointer, which
/// its functions answer by ending the job.
MPI_Comm comm_of(MPI_Fint handle) {
  const MPI_Comm comm = PMPI_Comm_f2c(handle);
  return comm == MPI_Comm{} ? MPI_COMM_NULL : comm;
}

MPI_Datatype type_of(MPI_Fint handle) {
  const MPI_Datatype type = PMPI_Type_f2c(handle);
  return type == MPI_Datatype{} ? MPI_DATATYPE_NULL : type;
}

void give(MPI_Comm made, int code, MPI_Fint* handle) {
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(made);
}

}  // namespace

#define KITH_API extern "C" __attribute__((visibility("default")))

KITH_API int kith_reorder_f(MPI_Fint comm, const kith_options* options, MPI_Fint* reordered) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  MPI_Comm made = MPI_COMM_NULL;
  const int code = kith_reorder(comm_of(comm), options, &made);
  give(made, code, reordered);
  return code;
}

KITH_API int kith_reorder_graph_f(MPI_Fint comm, int degree, const int peers[],
                                  const double weights[], const kith_options* options,
                                  MPI_Fint* reordered) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  MPI_Comm made = MPI_COMM_NULL;
  const int code = kith_reorder_graph(comm_of(comm), degree, peers, weights, options, &made);
  give(made, code, reordered);
  return code;
}

KITH_API int kith_checkpoint_f(MPI_Fint comm, const char* phase) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  return kith_checkpoint(comm_of(comm), phase);
}

/// `bottom`, `in_place`: the addresses that stand for MPI_BOTTOM and MPI_IN_PLACE in the caller's
/// language; null where it has none.
KITH_API int kith_redistribute_f(MPI_Fint from, MPI_Fint to, void* buffer, std::int64_t count,
                                 MPI_Fint type, const void* bottom, const void* in_place) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  if (buffer != nullptr && buffer == bottom) buffer = MPI_BOTTOM;
  if (buffer != nullptr && buffer == in_place) buffer = MPI_IN_PLACE;
  return kith_redistribute(comm_of(from), comm_of(to), buffer, static_cast<MPI_Count>(count),
                           type_of(type));
}

KITH_API int kith_decision_f(MPI_Fint comm, kith_report* report) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  return kith_decision(comm_of(comm), report);
}

namespace kith::preload {
namespace {

// Sizes of earlier editions: up to the fields that the next one added.
constexpr std::size_t first_options = offsetof(kith_options, state_bytes);
constexpr std::size_t first_report = offsetof(kith_report, moved_ranks);
constexpr std::size_t second_report = offsetof(kith_report, reason_code);
// No padding at its end was reused.
static_assert(first_options % alignof(double) == 0 && first_report % alignof(double) == 0 &&
              second_report % alignof(double) == 0);

constexpr double most_allowed =
    1e60;  // products of such numbers are finite, and no machine holds so much

bool is_finite(double number) {
  return number - number == 0;
}

kith_reason reason_of(const Order& order) {
  if (order.apply) return KITH_REASON_REORDERED;
  if (order.no_answer) return KITH_REASON_NO_ANSWER;
  if (order.failed) return KITH_REASON_FAILED;
  const bool is_free = order.algorithm.empty() || order.cost_before == 0;
  return is_free ? KITH_REASON_NOTHING_TO_GAIN : KITH_REASON_SMALL_GAIN;
}

void copy_text(const std::string& text, char* out, std::size_t room) {
  const std::size_t length = std::min(text.size(), room - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

}  // namespace

std::optional<kith_options> read_options(const kith_options* given) {
  kith_options options = KITH_OPTIONS_INIT;
  if (given == nullptr) return options;
  if (given->size != first_options && given->size != sizeof options) return std::nullopt;
  std::memcpy(&options, given, given->size);
  if (!is_finite(options.min_gain) || !is_finite(options.state_bytes) ||
      !is_finite(options.remaining)) {
    return std::nullopt;
  }
  return options;
}

void apply(const kith_options& options, OrderRequest& request) {
  Settings& settings = request.settings;
  if (options.algorithm != nullptr) settings.algorithm = options.algorithm;
  if (options.min_gain >= 0) settings.min_gain = options.min_gain;
  if (options.keep_rank0 >= 0) settings.keep_rank0 = options.keep_rank0 != 0;
  if (options.topology != nullptr) {
    settings.topology = options.topology;
    request.launcher_ranks.clear();
  }
  request.has_state = true;
  request.state_bytes = std::clamp(options.state_bytes, 0.0, most_allowed);
  request.remaining = options.remaining < 0 ? 1 : std::min(options.remaining, most_allowed);
}

bool is_report(const kith_report* report) {
  return report != nullptr && (report->size == first_report || report->size == second_report ||
                               report->size == sizeof *report);
}

void fill(const Order& order, kith_report* report) {
  kith_report whole = {};
  whole.size = report->size;
  whole.reordered = order.apply ? 1 : 0;
  whole.cost_before = order.cost_before;
  whole.cost_after = order.cost_after;
  whole.seconds = order.seconds;
  copy_text(order.algorithm, whole.algorithm, sizeof whole.algorithm);
  copy_text(order.reason, whole.reason, sizeof whole.reason);
  whole.moved_ranks = order.moved_ranks;
  whole.moving_cost = order.moving_cost;
  whole.saving = order.saving;
  whole.reason_code = reason_of(order);
  std::memcpy(report, &whole, report->size);
}

}  // namespace kith::preload
