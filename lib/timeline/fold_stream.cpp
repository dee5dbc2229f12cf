// The folded stream as plain data.
#include <algorithm>
#include <utility>
#include <vector>

#include "timeline/fold.hpp"

namespace kith::timeline {
namespace {

TimeSummary summary(double sum, double squares, float least, float most, double tick) {
  return {sum * tick, squares * tick * tick, double{least} * tick, double{most} * tick};
}

/// Numbers rules such that each refers to higher numbers only.
class RuleNumbers {
 public:
  explicit RuleNumbers(std::size_t rules) : number_(rules, 0), state_(rules, 0) {}

  /// `children(rule, visit)` calls visit for each rule in its body.
  template <class Children>
  std::vector<std::uint32_t> order(Children&& children) {
    std::vector<std::uint32_t> finished;
    std::vector<std::pair<std::uint32_t, bool>> work{{0, false}};
    while (!work.empty()) {
      const auto [rule, is_done] = work.back();
      work.pop_back();
      if (is_done) {
        finished.push_back(rule);
        continue;
      }
      if (state_[rule] != 0) continue;
      state_[rule] = 1;
      work.emplace_back(rule, true);
      children(rule, [&](std::uint32_t child) {
        if (state_[child] == 0) work.emplace_back(child, false);
      });
    }
    std::reverse(finished.begin(), finished.end());
    for (std::size_t i = 0; i < finished.size(); ++i) {
      number_[finished[i]] = static_cast<std::uint32_t>(i);
    }
    return finished;
  }
  std::uint32_t of(std::uint32_t rule) const { return number_[rule]; }

 private:
  std::vector<std::uint32_t> number_;
  std::vector<char> state_;
};

}  // namespace

void Folder::put_omissions(ThreadStream& stream, double tick, std::uint64_t now) const {
  for (Index i = 0; i < gap_count_; ++i) {
    const Gap& gap = gaps_[i];
    const bool is_open = i + 1 == gap_count_ && gap_left_ != 0;
    std::uint64_t ticks = gap.ticks;
    if (is_open && now > gap.began) ticks += now - gap.began;
    stream.omissions.push_back(
        {gap.after, gap.events, gap.bytes, static_cast<double>(ticks) * tick * 1e-9});
  }
}

ThreadStream Folder::stream(double tick, std::uint64_t now) const {
  ThreadStream out;
  Program& program = out.program;
  out.events = events_;
  out.bytes = bytes_;
  program.lists.resize(1);
  out.times.resize(1);
  program.rules.resize(1);
  put_omissions(out, tick, now);
  if (rules_.size() == 0) return out;
  program.events.assign(symbols_.data(), symbols_.data() + symbols_.size());
  for (std::size_t i = 1; i < lists_.size(); ++i) {
    program.lists.emplace_back(list_bytes_.data() + lists_[i].at, lists_[i].size);
  }
  RuleNumbers numbers(rules_.size());
  const auto order = numbers.order([&](Index rule, auto&& visit) {
    for (Index node = first_of(rule); !is_guard(node); node = nodes_[node].next) {
      if (is_rule(nodes_[node].symbol)) visit(rule_of(nodes_[node].symbol));
    }
  });
  program.rules.resize(order.size());
  const auto item = [&](Index symbol, std::uint64_t repeats) {
    return is_rule(symbol) ? Item{true, numbers.of(rule_of(symbol)), repeats, 0}
                           : Item{false, symbol, repeats, 0};
  };
  // Each position has its entry, measured or not: else programs of ranks would differ in that.
  const auto times_number = [&](Index at) -> std::uint32_t {
    PositionTimes plain;
    const Times t = at == none ? Times{} : times_[at];
    plain.timed = t.timed;
    plain.before = summary(t.before_sum, t.before_squares, t.before_least, t.before_most, tick);
    plain.inside = summary(t.inside_sum, t.inside_squares, t.inside_least, t.inside_most, tick);
    plain.has_first = t.has_first != 0;
    plain.first_before = double{t.first_before} * tick;
    plain.first_inside = double{t.first_inside} * tick;
    plain.asleep = double{t.asleep_sum} * tick;
    plain.first_asleep = double{t.first_asleep} * tick;
    out.times.push_back(plain);
    return static_cast<std::uint32_t>(out.times.size() - 1);
  };
  for (const Index rule : order) {
    std::vector<Item>& items = program.rules[numbers.of(rule)].items;
    for (Index node = first_of(rule); !is_guard(node); node = nodes_[node].next) {
      if (is_gap(nodes_[node].symbol)) continue;
      items.push_back(item(nodes_[node].symbol, nodes_[node].repeats));
      if (!items.back().is_rule) items.back().times = times_number(nodes_[node].times);
    }
  }
  for_each_pending([&](const Unit& unit) {
    std::vector<Item>& items = program.rules[0].items;
    items.push_back(item(unit.symbol, unit.repeats));
    if (!items.back().is_rule) items.back().times = times_number(none);
  });
  return out;
}

}  // namespace kith::timeline
