#include "machine/probe_inference/probe_inference.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace kith {
namespace {

/// Two values next to each other in order that differ by this factor are of different bands.
constexpr double gap = 1.5;
/// So many pivots that find all others alike are enough.
constexpr unsigned enough_alike = 2;

/// Hosts of which the first is the pivot.
struct Band {
  std::vector<std::uint32_t> hosts;
  double cost = 0;               ///< to the pivot before; 0: there was none
  unsigned alike = 0;            ///< pivots before that found all others alike
  std::vector<double> row = {};  ///< cost from the pivot to the hosts behind it, as far as measured
};

/// Pairs that were measured at the same time, among all pairs.
struct Round {
  std::size_t begin;
  std::size_t pairs;
};

class PairSurvey {
 public:
  PairSurvey(std::uint32_t hosts, double time_limit, const SurveyMeans& means)
      : hosts_(hosts), time_limit_(time_limit), means_(means) {}

  Survey run() {
    Band all;
    all.hosts.resize(hosts_);
    std::iota(all.hosts.begin(), all.hosts.end(), 0);
    planned_ = hosts_ - 1;
    finish_rows({&all, 1});
    if (all_pairs_fit()) {
      measure_all_pairs();
    } else {
      survey_bands(bands_of(all));
    }
    repeat_rounds();
    measure_doubtful_pairs();
    return std::move(survey_);
  }

 private:
  bool has_time() {
    survey_.out_of_time = survey_.out_of_time || means_.seconds() >= time_limit_;
    return !survey_.out_of_time;
  }

  void measure(std::span<MeasuredPair> round) {
    means_.progress(survey_.pairs.size(), std::max(planned_, survey_.pairs.size() + round.size()));
    means_.measure(round);
    rounds_.push_back({survey_.pairs.size(), round.size()});
    survey_.pairs.insert(survey_.pairs.end(), round.begin(), round.end());
  }

  /// Everything once more where there is time. What disturbs lasts a while and slows all that is
  /// measured in that while; now the same host's pairs are far apart, and the smaller value counts.
  void repeat_rounds() {
    std::size_t measured = survey_.pairs.size();
    for (const std::size_t round : far_apart(rounds_.size())) {
      if (means_.seconds() >= time_limit_) return;
      means_.progress(measured, 2 * survey_.pairs.size());
      measure_again(rounds_[round]);
      measured += rounds_[round].pairs;
    }
  }

  void measure_again(const Round& round) {
    const auto known = std::span(survey_.pairs).subspan(round.begin, round.pairs);
    std::vector<MeasuredPair> again;
    for (const MeasuredPair& pair : known) again.push_back({pair.a, pair.b});
    means_.measure(again);
    for (std::size_t i = 0; i < known.size(); ++i) {
      known[i].cost = std::min(known[i].cost, again[i].cost);
      known[i].latency_us = std::min(known[i].latency_us, again[i].latency_us);
    }
  }

  /// 0 .. count-1 in steps of some 0.62 of all.
  static std::vector<std::size_t> far_apart(std::size_t count) {
    std::size_t step = std::max<std::size_t>(1, count * 618 / 1000);
    while (std::gcd(step, count) != 1) ++step;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i) order.push_back(i * step % count);
    return order;
  }

  std::size_t number_of_pairs() const { return std::size_t{hosts_} * (hosts_ - 1) / 2; }

  /// By what the pairs so far took.
  bool all_pairs_fit() const {
    const double each = means_.seconds() / static_cast<double>(survey_.pairs.size());
    return each * static_cast<double>(number_of_pairs()) < 0.9 * time_limit_;
  }

  /// Neighbours in the list first, so that each host has its share when time runs out.
  void measure_all_pairs() {
    planned_ = number_of_pairs();
    for (std::uint32_t step = 1; step < hosts_; ++step) {
      for (std::uint32_t a = 1; a + step < hosts_; ++a) {
        if (!has_time()) return;
        MeasuredPair pair{a, a + step};
        measure({&pair, 1});
      }
    }
  }

  /// Measures the rows of all these bands, a pair of each at a time.
  void finish_rows(std::span<Band> bands) {
    while (has_time()) {
      std::vector<MeasuredPair> round;
      std::vector<Band*> of;
      for (Band& band : bands) {
        const std::size_t next = band.row.size() + 1;
        if (next >= band.hosts.size()) continue;
        round.push_back({band.hosts.front(), band.hosts[next]});
        of.push_back(&band);
      }
      if (round.empty()) return;
      measure(round);
      for (std::size_t i = 0; i < round.size(); ++i) of[i]->row.push_back(round[i].cost);
    }
  }

  /// What the pivot's row divides its band into; bands about which enough is known are left out.
  static std::vector<Band> bands_of(const Band& band) {
    std::vector<std::size_t> order(band.row.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return band.row[i]; });
    std::vector<Band> bands;
    double last = 0;
    for (const std::size_t i : order) {
      if (bands.empty() || band.row[i] > gap * last) {
        bands.emplace_back();
        bands.back().cost = band.row[i];
      }
      bands.back().hosts.push_back(band.hosts[i + 1]);
      last = band.row[i];
    }
    if (bands.size() == 1 && bands.front().cost * gap > band.cost && band.cost > 0) {
      bands.front().alike = band.alike + 1;
    }
    std::erase_if(
        bands, [](const Band& one) { return one.hosts.size() < 2 || one.alike >= enough_alike; });
    return bands;
  }

  void survey_bands(std::vector<Band> bands) {
    while (!bands.empty() && has_time()) {
      planned_ = survey_.pairs.size();
      for (const Band& band : bands) planned_ += band.hosts.size() - 1;
      finish_rows(bands);
      std::vector<Band> next;
      for (const Band& band : bands) {
        auto inside = bands_of(band);
        std::ranges::move(inside, std::back_inserter(next));
      }
      bands = std::move(next);
    }
  }

  void measure_doubtful_pairs() {
    for (const std::size_t i : doubtful_pairs(hosts_, survey_.pairs)) {
      if (means_.seconds() >= time_limit_) return;
      MeasuredPair& pair = survey_.pairs[i];
      std::array<MeasuredPair, 3> three{pair, {pair.a, pair.b}, {pair.a, pair.b}};
      for (std::size_t again = 1; again < three.size(); ++again) means_.measure({&three[again], 1});
      pair = *median(three, &MeasuredPair::cost);
      pair.latency_us = median(three, &MeasuredPair::latency_us)->latency_us;
    }
  }

  static const MeasuredPair* median(std::array<MeasuredPair, 3>& three,
                                    double MeasuredPair::*what) {
    std::ranges::sort(three, {}, what);
    return &three[1];
  }

  std::uint32_t hosts_;
  double time_limit_;
  const SurveyMeans& means_;
  Survey survey_;
  std::vector<Round> rounds_;
  std::size_t planned_ = 0;
};

}  // namespace

Survey survey_pairs(std::uint32_t hosts, double time_limit, const SurveyMeans& means) {
  if (hosts < 2) return {};
  return PairSurvey(hosts, time_limit, means).run();
}

}  // namespace kith
