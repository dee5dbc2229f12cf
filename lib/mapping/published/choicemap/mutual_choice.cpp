// Algorithms 1 (lines 8 to 17) and 2 of ChoiceMap, without its n x (n - 1) matrix of choices: lists
// hold only those with whom there is communication; below them all others, wanted equally, are
// found when they are needed. A pair whose choice is mutual stays so until it is found. So instead
// of looking at each task in each pass, only those are looked at that have become a mutual choice,
// when the paper's loop would come to them next.
//
// The loop is taken to leave out the last task, which its partner finds: only so the worked example
// takes the passes of figures 4.3 and 4.4. With the lowest index first among equals there is no
// cycle: in one, all choices are equally strong, and who is chosen by the lowest index wants that
// one back. Figure 4.2 must come from another order of equals. Where each wants the next one,
// silent ones are a cycle; that of several kinds, which the paper has not, is solved as that of
// one.
#include "mapping/published/choicemap/mutual_choice.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

namespace kith {

std::uint64_t WantedPairs::key(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t{std::min(a, b)} << 32U) | std::max(a, b);
}

void WantedPairs::add(std::uint32_t a, std::uint32_t b) {
  ++total_;
  if (left_[key(a, b)]++ > 0) return;
  partners_[a].push_back(b);
  if (a != b) partners_[b].push_back(a);
  all_.push_back({std::min(a, b), std::max(a, b)});
}

bool WantedPairs::take(std::uint32_t a, std::uint32_t b) {
  --total_;
  return --left_[key(a, b)] == 0;
}

std::uint32_t WantedPairs::left(std::uint32_t a, std::uint32_t b) const {
  if (kinds() == 1) return static_cast<std::uint32_t>(total_);
  const auto found = left_.find(key(a, b));
  return found == left_.end() ? 0 : found->second;
}

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

class Chooser {
 public:
  Chooser(const ElementGraph& graph, const std::vector<std::uint32_t>& kind_of, WantedPairs wanted,
          FirstChoice first)
      : graph_(graph),
        kind_of_(kind_of),
        wanted_(std::move(wanted)),
        first_(first),
        choices_(graph.neighbours.size()),
        place_(graph.offsets.begin(), graph.offsets.end() - 1),
        available_(graph.size(), true),
        left_of_kind_(wanted_.kinds()) {
    for (std::uint32_t task = 0; task < graph.size(); ++task) {
      list_choices(task);
      auto& left = left_of_kind_[kind_of[task]];
      left.insert(left.end(), task);
      if (!is_silent(task)) ++talking_;
    }
  }

  std::vector<ChosenPair> run() {
    renew_all();
    while (wanted_.total_left() > 0) {
      if (moments_.empty()) {
        solve_cycle();
        continue;
      }
      const Moment moment = moments_.top();
      moments_.pop();
      if (!available_[moment.task]) continue;
      const std::uint32_t candidate = first_choice(moment.task);
      if (candidate == none || first_choice(candidate) != moment.task) continue;
      now_ = moment;
      pair(moment.task, candidate);
    }
    return std::move(pairs_);
  }

 private:
  /// When the paper's loop looks at a task.
  struct Moment {
    std::uint32_t pass;
    std::uint32_t task;
    bool operator<(const Moment& other) const {
      return pass != other.pass ? pass > other.pass : task > other.task;  // the earliest on top
    }
  };

  /// Places in choices_ of a task's partners, most wanted first.
  void list_choices(std::uint32_t task) {
    const std::uint64_t begin = graph_.offsets[task];
    const std::uint64_t end = graph_.offsets[task + 1ULL];
    for (std::uint64_t e = begin; e < end; ++e) choices_[e] = e;
    std::sort(choices_.begin() + static_cast<std::ptrdiff_t>(begin),
              choices_.begin() + static_cast<std::ptrdiff_t>(end),
              [&](std::uint64_t a, std::uint64_t b) {
                return graph_.weights[a] != graph_.weights[b]
                           ? graph_.weights[a] > graph_.weights[b]
                           : order(task, graph_.neighbours[a]) < order(task, graph_.neighbours[b]);
              });
  }

  /// Of those whom a task wants equally the one of the least order comes first.
  std::uint64_t order(std::uint32_t task, std::uint32_t other) const {
    return first_ == FirstChoice::next && other < task ? other + std::uint64_t{graph_.size()}
                                                       : other;
  }

  bool may_pair(std::uint32_t a, std::uint32_t b) const {
    return available_[b] && wanted_.left(kind_of_[a], kind_of_[b]) > 0;
  }
  bool is_silent(std::uint32_t task) const { return place_[task] == graph_.offsets[task + 1ULL]; }
  std::uint32_t listed(std::uint32_t task) const {
    return graph_.neighbours[choices_[place_[task]]];
  }

  /// Whom a task wants most of those that are left: "nearest choice". None where none may be.
  std::uint32_t first_choice(std::uint32_t task) const {
    if (!is_silent(task)) return listed(task);
    std::uint32_t best = none;
    for (const std::uint32_t kind : wanted_.partners(kind_of_[task])) {
      if (wanted_.left(kind_of_[task], kind) == 0) continue;
      const std::uint32_t other = first_left(kind, task);
      if (other == none) continue;
      if (best == none || order(task, other) < order(task, best)) best = other;
    }
    return best;
  }

  /// Of a kind, whom a silent task wants.
  std::uint32_t first_left(std::uint32_t kind, std::uint32_t task) const {
    const std::set<std::uint32_t>& left = left_of_kind_[kind];
    auto at = first_ == FirstChoice::next ? left.upper_bound(task) : left.begin();
    if (at == left.end()) at = left.begin();
    if (at != left.end() && *at == task) ++at;
    return at == left.end() ? none : *at;
  }

  /// Passes over those in a task's list that are no longer to be had: they never are again.
  void renew(std::uint32_t task) {
    if (is_silent(task)) return;
    while (!is_silent(task) && !may_pair(task, listed(task))) ++place_[task];
    if (is_silent(task)) --talking_;
  }

  void renew_all() {
    for (std::uint32_t task = 0; task < graph_.size(); ++task) {
      if (available_[task]) renew(task);
    }
    for (std::uint32_t task = 0; task < graph_.size(); ++task) {
      if (available_[task] && !is_silent(task)) look_if_mutual(task);
    }
    look_at_silent_ones();
  }

  void look_if_mutual(std::uint32_t task) {
    const std::uint32_t candidate = first_choice(task);
    if (candidate == none || first_choice(candidate) != task) return;
    for (const std::uint32_t one : {task, candidate}) {
      if (one + 1 == graph_.size()) continue;
      moments_.push({now_.pass + (one > now_.task ? 0 : 1), one});
    }
  }

  /// An element without a partner left wants the lowest index: only the lowest of two kinds can
  /// want each other. Or the next one: then, of one kind, only the last two; more are a cycle.
  void look_at_silent_ones() {
    for (const WantedPairs::Kinds& kinds : wanted_.all()) {
      const auto& left = left_of_kind_[kinds.a];
      if (left.empty() || wanted_.left(kinds.a, kinds.b) == 0) continue;
      if (is_silent(*left.begin())) look_if_mutual(*left.begin());
    }
  }

  void pair(std::uint32_t a, std::uint32_t b) {
    pairs_.push_back({std::min(a, b), std::max(a, b), now_.pass});
    remove(a);
    remove(b);
    if (wanted_.take(kind_of_[a], kind_of_[b])) {
      renew_all();
      return;
    }
    for (const std::uint32_t gone : {a, b}) {
      for (std::uint64_t e = graph_.offsets[gone]; e < graph_.offsets[gone + 1ULL]; ++e) {
        const std::uint32_t desirer = graph_.neighbours[e];
        if (!available_[desirer] || is_silent(desirer) || listed(desirer) != gone) continue;
        renew(desirer);
        if (!is_silent(desirer)) look_if_mutual(desirer);
      }
    }
    look_at_silent_ones();
  }

  void remove(std::uint32_t task) {
    available_[task] = false;
    left_of_kind_[kind_of_[task]].erase(task);
    if (!is_silent(task)) --talking_;
  }

  /// Algorithm 2, at the end of a pass that made no pair. The paper selects any cycle; here it is
  /// the one to which the choices of the lowest task lead.
  void solve_cycle() {
    now_ = {pairs_.empty() ? 1 : pairs_.back().pass + 1, none};
    const std::uint32_t alpha = talking_ > 0 ? lowest_of_a_cycle() : lowest_left();
    if (is_silent(alpha)) {  // so all in the cycle are, and want each other equally
      pair(alpha, last_choice(alpha));
      return;
    }
    std::uint32_t desirer = none;
    Weight most = 0;
    for (std::uint64_t e = graph_.offsets[alpha]; e < graph_.offsets[alpha + 1ULL]; ++e) {
      const std::uint32_t other = graph_.neighbours[e];
      if (!available_[other] || first_choice(other) != alpha) continue;
      const Weight weight = graph_.weights[e];
      if (weight > most || (weight == most && other < desirer)) {
        desirer = other;
        most = weight;
      }
    }
    pair(alpha, desirer);
  }

  /// Of those that may still pair.
  std::uint32_t lowest_left() {
    while (!available_[lowest_] || first_choice(lowest_) == none) ++lowest_;
    return lowest_;
  }

  /// Of a silent task: the one before it, round from the end. Of one kind, that is who wants it.
  std::uint32_t last_choice(std::uint32_t task) const {
    std::uint32_t last = none;
    for (const std::uint32_t kind : wanted_.partners(kind_of_[task])) {
      const std::set<std::uint32_t>& left = left_of_kind_[kind];
      if (left.empty() || wanted_.left(kind_of_[task], kind) == 0) continue;
      const auto at = left.lower_bound(task);
      const std::uint32_t other = *std::prev(at == left.begin() ? left.end() : at);
      if (other == task) continue;
      if (last == none || order(task, other) > order(task, last)) last = other;
    }
    return last;
  }

  std::uint32_t lowest_of_a_cycle() {
    // The second runs twice as fast and meets the first within the cycle.
    std::uint32_t slow = lowest_left();
    std::uint32_t fast = slow;
    do {
      slow = first_choice(slow);
      fast = first_choice(first_choice(fast));
    } while (slow != fast);
    std::uint32_t lowest = slow;
    for (std::uint32_t task = first_choice(slow); task != slow; task = first_choice(task)) {
      lowest = std::min(lowest, task);
    }
    return lowest;
  }

  const ElementGraph& graph_;
  const std::vector<std::uint32_t>& kind_of_;
  WantedPairs wanted_;
  FirstChoice first_;
  std::vector<std::uint64_t> choices_;  // of each task, where its neighbours are in the graph
  std::vector<std::uint64_t> place_;    // of its first choice that is left
  std::vector<bool> available_;
  std::vector<std::set<std::uint32_t>> left_of_kind_;
  std::uint32_t talking_ = 0;            // how many of those left are not silent
  std::uint32_t lowest_ = 0;             // no lower element may still pair
  std::priority_queue<Moment> moments_;  // of mutual choices
  Moment now_{0, none};
  std::vector<ChosenPair> pairs_;
};

}  // namespace

std::vector<ChosenPair> pair_by_choice(const ElementGraph& graph,
                                       const std::vector<std::uint32_t>& kind_of,
                                       WantedPairs wanted, FirstChoice first) {
  return Chooser(graph, kind_of, std::move(wanted), first).run();
}

}  // namespace kith
