#include "mapping/published/geom/geom.hpp"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "mapping/budget.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

/// What the three searches share: tests that are paid for, swaps that are counted.
template <class Distance>
class Search {
 public:
  Search(const MapTask& problem, Mapping& mapping, Distance distance, std::uint64_t most_swaps)
      : graph_(problem.graph),
        budget_(problem.budget),
        mapping_(mapping),
        gain_(graph_, mapping, std::move(distance)),
        swaps_left_(most_swaps),
        pinned_(graph_.ranks()) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
  }

  std::uint32_t ranks() const { return graph_.ranks(); }
  bool stopped() const { return stopped_; }
  /// Before the many tests of one rank, which may all be left out.
  bool goes_on() {
    stopped_ = stopped_ || (budget_ != nullptr && budget_->exhausted());
    return !stopped_;
  }
  std::uint64_t swaps() const { return swaps_; }
  std::uint64_t tests() const { return tests_; }

  /// What a swap changes, negative is better; 0 for pairs that may not swap, and when the search is
  /// over.
  SignedWide test(std::uint32_t a, std::uint32_t b) {
    if (stopped_ || pinned_[a] || pinned_[b] || mapping_.slot_of[a] == mapping_.slot_of[b] ||
        !(speaks(a) || speaks(b))) {
      return 0;
    }
    if (budget_ != nullptr && !budget_->spend()) {
      stopped_ = true;
      return 0;
    }
    ++tests_;
    return gain_.swap(Rank(a), Rank(b));
  }

  /// Makes a swap, or ends the search where no more are allowed.
  bool swap(std::uint32_t a, std::uint32_t b) {
    if (swaps_left_ == 0) {
      stopped_ = true;
      return false;
    }
    --swaps_left_;
    ++swaps_;
    std::swap(mapping_.slot_of[a], mapping_.slot_of[b]);
    return true;
  }

  /// Calls visit(r) for the ranks whose tests two ranks that moved have changed: the two and their
  /// neighbours, some perhaps twice.
  template <class Visit>
  void for_each_touched(std::uint32_t a, std::uint32_t b, Visit visit) const {
    for (const std::uint32_t moved : {a, b}) {
      visit(moved);
      for (const Rank neighbour : graph_.neighbours(Rank(moved))) visit(neighbour.value);
    }
  }

 private:
  bool speaks(std::uint32_t r) const { return graph_.degree(Rank(r)) > 0; }

  const TrafficGraph& graph_;
  Budget* const budget_;
  Mapping& mapping_;
  SwapGain<Distance> gain_;
  std::uint64_t swaps_left_;
  std::uint64_t swaps_ = 0;
  std::uint64_t tests_ = 0;
  bool stopped_ = false;
  std::vector<bool> pinned_;
};

/// Remembers what has changed since a rank's turn in the sweep before.
class Turns {
 public:
  explicit Turns(std::uint32_t ranks) : touched_(ranks, 1), turn_(ranks, 0) {}

  /// Begins the turn of `rank`; asks after it.
  void begin(std::uint32_t rank) { since_ = std::exchange(turn_[rank], now_); }
  /// Has a rank been touched since the last turn of the present one?
  bool changed(std::uint32_t rank) const { return touched_[rank] > since_; }
  void touch(std::uint32_t rank) { touched_[rank] = now_; }
  void next() { ++now_; }

 private:
  std::uint64_t now_ = 1;  // one more than the swaps made
  std::uint64_t since_ = 0;
  std::vector<std::uint64_t> touched_;  // `now` of the last change
  std::vector<std::uint64_t> turn_;     // `now` of the last turn
};

/// Figure 2 of the paper.
template <class Distance>
void swap_first(Search<Distance>& search) {
  const std::uint32_t n = search.ranks();
  Turns turns(n);
  bool made_swap = true;
  while (made_swap && !search.stopped()) {
    made_swap = false;
    for (std::uint32_t i = 0; i + 1 < n && search.goes_on(); ++i) {
      turns.begin(i);
      for (std::uint32_t j = i + 1; j < n; ++j) {
        if (!turns.changed(i) && !turns.changed(j)) continue;
        if (search.test(i, j) >= 0) continue;
        if (!search.swap(i, j)) return;
        made_swap = true;
        turns.next();
        search.for_each_touched(i, j, [&](std::uint32_t r) { turns.touch(r); });
      }
    }
  }
}

/// The first variation of section IV-C, over all partners or those of higher rank.
template <class Distance>
void swap_best_of_rank(Search<Distance>& search, bool all_partners) {
  const std::uint32_t n = search.ranks();
  Turns turns(n);
  bool made_swap = true;
  while (made_swap && !search.stopped()) {
    made_swap = false;
    for (std::uint32_t i = 0; i < n && search.goes_on(); ++i) {
      turns.begin(i);
      SignedWide least = 0;
      std::uint32_t partner = 0;
      // What did not help in the last turn and has not changed since does not help now, unless that
      // turn chose between several: then its swap has touched i.
      for (std::uint32_t j = all_partners ? 0 : i + 1; j < n; ++j) {
        if (j == i || (!turns.changed(i) && !turns.changed(j))) continue;
        const SignedWide delta = search.test(i, j);
        if (delta >= least) continue;
        least = delta;
        partner = j;
      }
      if (least == 0 || search.stopped()) continue;
      if (!search.swap(i, partner)) return;
      made_swap = true;
      turns.next();
      search.for_each_touched(i, partner, [&](std::uint32_t r) { turns.touch(r); });
    }
  }
}

/// The second variation of section IV-C. Each rank keeps its best partner of higher rank; after a
/// swap only pairs with a rank that it touched are tested again. Where a rank has lost its best
/// partner, the old value stands as a bound until no other rank has a lower one.
template <class Distance>
class BestOfAll {
 public:
  explicit BestOfAll(Search<Distance>& search)
      : search_(search), rows_(search.ranks()), is_touched_(search.ranks()) {}

  void run() {
    for (std::uint32_t i = 0; i < rows_.size() && !search_.stopped(); ++i) scan(i);
    while (!search_.stopped()) {
      const std::uint32_t best = next_best();
      if (best == none || search_.stopped() || !search_.swap(best, rows_[best].partner)) return;
      update(best, rows_[best].partner);
    }
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Row {
    SignedWide delta = 0;  ///< exact, or a lower bound
    std::uint32_t partner = none;
    bool exact = true;
    std::uint32_t version = 0;  ///< older entries of the heap are void
  };
  struct Entry {
    SignedWide delta;
    std::uint32_t rank;
    std::uint32_t version;
    /// The top of the heap has the lowest delta, then the lowest rank.
    bool operator<(const Entry& other) const {
      return delta != other.delta ? delta > other.delta : rank > other.rank;
    }
  };

  void publish(std::uint32_t i) {
    ++rows_[i].version;
    if (rows_[i].delta < 0) heap_.push({rows_[i].delta, i, rows_[i].version});
  }

  void consider(std::uint32_t i, std::uint32_t j) {
    const SignedWide delta = search_.test(i, j);
    Row& row = rows_[i];
    if (delta > row.delta || delta >= 0 || (delta == row.delta && row.partner < j)) return;
    row.delta = delta;
    row.partner = j;
  }

  void scan(std::uint32_t i) {
    rows_[i].delta = 0;
    rows_[i].partner = none;
    rows_[i].exact = true;
    for (std::uint32_t j = i + 1; j < rows_.size(); ++j) consider(i, j);
    publish(i);
  }

  /// The rank whose best swap is the best of all; none when no swap helps.
  std::uint32_t next_best() {
    while (!heap_.empty()) {
      const Entry top = heap_.top();
      heap_.pop();
      const Row& row = rows_[top.rank];
      if (row.version != top.version) continue;
      if (row.exact) return top.rank;
      scan(top.rank);
      if (search_.stopped()) return none;
    }
    return none;
  }

  void update(std::uint32_t a, std::uint32_t b) {
    touched_.clear();
    search_.for_each_touched(a, b, [&](std::uint32_t r) {
      if (!is_touched_[r]) touched_.push_back(r);
      is_touched_[r] = true;
    });
    std::ranges::sort(touched_);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      if (is_touched_[i]) {
        scan(i);
      } else {
        retest(i);
      }
    }
    for (const std::uint32_t r : touched_) is_touched_[r] = false;
  }

  /// Row i after its pairs with touched ranks may have changed.
  void retest(std::uint32_t i) {
    Row& row = rows_[i];
    const SignedWide before = row.delta;
    const std::uint32_t partner = row.partner;
    if (row.partner != none && is_touched_[row.partner]) row.exact = false;
    const bool was_exact = row.exact;
    for (auto j = std::ranges::upper_bound(touched_, i); j != touched_.end(); ++j) {
      const SignedWide delta = search_.test(i, *j);
      if (delta >= 0 || delta > row.delta || (delta == row.delta && !row.exact)) continue;
      if (delta == row.delta && row.partner < *j) continue;
      // Lower than all that is known of the row: exact again.
      row.exact = row.exact || delta < row.delta;
      row.delta = delta;
      row.partner = *j;
    }
    if (row.delta != before || row.partner != partner || row.exact != was_exact) publish(i);
  }

  Search<Distance>& search_;
  std::vector<Row> rows_;
  std::vector<bool> is_touched_;
  std::vector<std::uint32_t> touched_;  // ascending
  std::priority_queue<Entry> heap_;
};

}  // namespace

std::uint64_t gsearch_swap_limit(std::uint32_t ranks) {
  return std::uint64_t{ranks} * 35 / 100 + 20;
}

SearchAccount search_swaps(const MapTask& problem, Mapping& mapping, SwapChoice choice,
                           std::uint64_t most_swaps) {
  return with_distance(problem.machine, problem.options.objective,
                       [&](const auto& distance) -> SearchAccount {
                         Search search(problem, mapping, distance, most_swaps);
                         switch (choice) {
                           case SwapChoice::first:
                             swap_first(search);
                             break;
                           case SwapChoice::best_of_higher:
                           case SwapChoice::best_of_rank:
                             swap_best_of_rank(search, choice == SwapChoice::best_of_rank);
                             break;
                           case SwapChoice::best_of_all:
                             BestOfAll(search).run();
                             break;
                         }
                         return {search.swaps(), search.tests(), !search.stopped()};
                       });
}

}  // namespace kith
