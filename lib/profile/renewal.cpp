#include "profile/profile.hpp"

namespace kith {
namespace {

TrafficMatrix mean(const TrafficMatrix& a, const TrafficMatrix& b) {
  TrafficMatrixBuilder sum(a.ranks(), a.entries() + b.entries());
  for (const TrafficMatrix* const matrix : {&a, &b}) {
    for (std::uint32_t r = 0; r < matrix->ranks(); ++r) {
      const auto destinations = matrix->destinations(Rank(r));
      const auto weights = matrix->weights(Rank(r));
      for (std::size_t k = 0; k < destinations.size(); ++k) {
        // Of an odd weight the first matrix has the larger half, so that x and x make x.
        const Weight half = matrix == &a ? weights[k] - weights[k] / 2 : weights[k] / 2;
        sum.add(Rank(r), destinations[k], half);
      }
    }
  }
  return sum.build();
}

/// An order that saves less than half of what it was to save was made for another program.
bool is_disappointing(const RecordedRun& run) {
  if (!run.predicted || !run.measured) return false;
  constexpr double hardly_any = 0.98;  // it was made for something else than this number
  if (*run.predicted > hardly_any) return false;
  return 1 - *run.measured < (1 - *run.predicted) / 2;
}

}  // namespace

bool is_worth_recording(const TrafficMatrix& traffic) {
  return traffic.ranks() > 1 && traffic.total(false) >= least_bytes_recorded;
}

RenewedProfile renewed(const std::optional<Profile>& found, RecordedRun run) {
  RenewedProfile result;
  ProfileHistory& history = result.profile.history;
  history.first_seen = run.now;
  if (found) {
    history = found->history;
    result.similarity = cosine_similarity(found->traffic, run.traffic).value_or(0);
    const bool is_same = *result.similarity >= alike_from && !is_disappointing(run);
    result.renewal = is_same ? Renewal::blended : Renewal::replaced;
  }
  ++history.runs;
  history.last_seen = run.now;
  if (run.predicted) {
    ++history.reordered;
    history.predicted = run.predicted;
    history.measured = run.measured;
  }
  if (result.renewal == Renewal::replaced) ++history.renewed;
  if (result.renewal == Renewal::replaced || history.layout != run.layout) {
    // They are of another program, or of other hosts.
    history.seconds.reset();
    history.seconds_reordered.reset();
  }
  history.layout = run.layout;
  (run.is_reordered ? history.seconds_reordered : history.seconds) = run.seconds;
  result.profile.key = std::move(run.key);
  result.profile.traffic = result.renewal == Renewal::blended ? mean(found->traffic, run.traffic)
                                                              : std::move(run.traffic);
  return result;
}

}  // namespace kith
