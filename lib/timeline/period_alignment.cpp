#include "timeline/period.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace kith::timeline {
namespace {

constexpr int most_rounds = 200;

/// Rank `a` should be `ahead` seconds later than rank `b`, against where both are.
struct Wish {
  std::size_t a = 0;
  std::size_t b = 0;
  double ahead = 0;
  double weight = 0;
};

struct Moment {
  double at = 0;
  double waited = 0;
};

/// Whether nobody leaves it before all have come.
bool is_synchronous(Op op) {
  switch (op) {
    case Op::barrier:
    case Op::allreduce:
    case Op::allgather:
    case Op::allgatherv:
    case Op::alltoall:
    case Op::alltoallv:
    case Op::alltoallw:
    case Op::reduce_scatter:
    case Op::reduce_scatter_block:
      return true;
    default:
      return false;
  }
}

/// What ranks say of each other.
class Wishes {
 public:
  explicit Wishes(const Period& period) {
    for (std::size_t i = 0; i < period.ranks.size(); ++i) place_[period.ranks[i].rank] = i;
    for (std::size_t i = 0; i < period.ranks.size(); ++i) {
      double now = period.ranks[i].begin;
      for (const PeriodSlice& slice : period.ranks[i].slices) {
        const double begin = now + slice.gap;
        now = begin + slice.inside;
        note(i, period.ranks[i].rank, period.events[slice.event], begin, slice.inside);
      }
    }
  }

  std::vector<Wish> all(std::size_t ranks) const {
    std::vector<Wish> wishes;
    for (const auto& [pair, received] : received_) {
      const auto sent = sent_.find({pair.second, pair.first});
      if (sent == sent_.end() || sent->second.size() % received.size() != 0) continue;
      // A wait may complete several messages of one rank: the last of them counts.
      const std::size_t each = sent->second.size() / received.size();
      for (std::size_t k = 0; k < received.size(); ++k) {
        wishes.push_back({pair.first, pair.second,
                          sent->second[(k + 1) * each - 1].at - received[k].at,
                          received[k].waited});
      }
    }
    for (std::size_t i = 1; i < ranks; ++i) {
      if (meetings_.size() <= i || meetings_[i].size() != meetings_[0].size()) continue;
      for (std::size_t k = 0; k < meetings_[i].size(); ++k) {
        wishes.push_back({i, 0, meetings_[0][k].at - meetings_[i][k].at,
                          meetings_[i][k].waited + meetings_[0][k].waited});
      }
    }
    return wishes;
  }

 private:
  void note(std::size_t place, std::uint32_t rank, const PeriodEvent& event, double begin,
            double inside) {
    if (is_synchronous(event.op)) {
      if (meetings_.size() <= place) meetings_.resize(place + 1);
      meetings_[place].push_back({begin + inside, inside});
      return;
    }
    for (const std::int32_t peer : event.peers) {
      const auto other = place_.find(static_cast<std::uint32_t>(std::int64_t{rank} + peer));
      if (other == place_.end()) continue;
      const std::pair pair{place, other->second};
      if (is_send(event.op)) {
        sent_[pair].push_back({begin, inside});
      } else if (is_completion(event.op) || !waits_later(event.op)) {
        received_[pair].push_back({begin + inside, inside});
      }
    }
  }
  static bool waits_later(Op op) {
    return op == Op::irecv || op == Op::start_recv || op == Op::imrecv ||
           op == Op::isendrecv_recv || is_in(op, Op::probe, Op::improbe) || is_one_sided(op);
  }

  std::map<std::uint32_t, std::size_t> place_;                                   ///< by rank
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Moment>> sent_;      ///< by, to
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Moment>> received_;  ///< by, from
  std::vector<std::vector<Moment>> meetings_;
};

}  // namespace

void align_period(Period& period) {
  const std::size_t ranks = period.ranks.size();
  const std::vector<Wish> wishes = Wishes(period).all(ranks);
  std::vector<double> moved(ranks);
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<double> sum(ranks);
    std::vector<double> weight(ranks);
    for (const Wish& wish : wishes) {
      sum[wish.a] += wish.weight * (moved[wish.b] + wish.ahead);
      sum[wish.b] += wish.weight * (moved[wish.a] - wish.ahead);
      weight[wish.a] += wish.weight;
      weight[wish.b] += wish.weight;
    }
    for (std::size_t i = 0; i < ranks; ++i) {
      // Halfway, so that two ranks do not swap places for ever.
      if (weight[i] > 0) moved[i] = (moved[i] + sum[i] / weight[i]) / 2;
    }
  }
  double mean = 0;
  for (const double seconds : moved) mean += seconds / static_cast<double>(ranks);
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (std::size_t i = 0; i < ranks; ++i) {
    PeriodRank& rank = period.ranks[i];
    if (rank.slices.empty()) continue;
    rank.begin += moved[i] - mean;
    double end = rank.begin;
    for (const PeriodSlice& slice : rank.slices) end += slice.gap + slice.inside;
    first = std::min(first, rank.begin);
    last = std::max(last, end);
  }
  if (!(last > first)) return;
  period.begin = first;
  period.end = last;
}

}  // namespace kith::timeline
