#include <algorithm>
#include <utility>

#include "info/trace_facts.hpp"
#include "io/thread_matrices.hpp"
#include "reporting/report.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t most_matrices = 16;
constexpr std::uint32_t most_cells = 64;  // along a side
constexpr std::size_t most_pairs = 8;

struct Candidate {
  Weight touches = 0;
  ReportThreads::Matrix matrix;
};

ReportThreads::Matrix matrix_of(const ThreadMatrix& threads) {
  ReportThreads::Matrix matrix;
  matrix.rank = threads.rank;
  matrix.threads = threads.threads();
  matrix.samples = threads.samples;
  matrix.is_sharing = threads.is_sharing();
  const RankAxis axis = axis_by_rank(matrix.threads);
  const std::uint32_t block = std::max(1U, (matrix.threads + most_cells - 1) / most_cells);
  constexpr std::uint64_t any_size = UINT64_MAX;
  matrix.touches = heat_level({threads.touches, nullptr, axis}, block, any_size).value();
  for (const Talker& pair : biggest_talkers(TrafficGraph::from(threads.touches), most_pairs)) {
    matrix.pairs.push_back({pair.a.value, pair.b.value, pair.bytes});
  }
  return matrix;
}

/// Keeps the matrices with most touches; of equal ones those of lower ranks.
void keep_largest(std::vector<Candidate>& kept, const ThreadMatrix& threads) {
  const Weight touches = threads.touches.total(false);
  if (kept.size() == most_matrices && touches <= kept.back().touches) return;
  const auto at =
      std::ranges::find_if(kept, [&](const Candidate& other) { return other.touches < touches; });
  kept.insert(at, {touches, matrix_of(threads)});
  if (kept.size() > most_matrices) kept.pop_back();
}

}  // namespace

void add_threads(const Trace& trace, ReportData& data) {
  if (!trace.job) return;
  ReportThreads threads;
  std::vector<Candidate> kept;
  std::vector<SharingThreads> sharing;
  visit_thread_matrices(trace, [&](const ThreadMatrix& matrix) {
    ++threads.ranks;
    if (matrix.is_sharing()) sharing.push_back({matrix.rank, matrix.threads()});
    keep_largest(kept, matrix);
  });
  data.binding = find_binding_faults(*trace.job, sharing);
  if (threads.ranks == 0) return;
  threads.sharing = sharing.size();
  for (Candidate& one : kept) threads.matrices.push_back(std::move(one.matrix));
  std::ranges::sort(threads.matrices, {}, &ReportThreads::Matrix::rank);
  data.threads = std::move(threads);
}

}  // namespace kith::tools
