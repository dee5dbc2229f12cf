#include "timeline/loop_cut.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

constexpr std::uint64_t least_blocks = 32;
constexpr std::uint64_t most_block_passes = 64;

/// An item of a rank's program that is repeated often.
struct RankLoop {
  std::uint32_t rule = 0;
  std::uint32_t item = 0;
  std::uint64_t passes = 0;
  std::uint64_t length = 0;  ///< events of a pass
  std::uint64_t visits = 1;

  std::uint64_t events() const { return passes * length * visits; }
};

/// The loops of a program from the outside: of those inside each other the first that has many
/// passes.
class LoopFinder {
 public:
  explicit LoopFinder(const Program& program)
      : program_(program), lengths_(lengths(program)), uses_(program.rules.size()) {
    for (const Rule& rule : program.rules) {
      for (const Item& item : rule.items) {
        if (item.is_rule) ++uses_[item.index];
      }
    }
  }

  std::vector<RankLoop> find() {
    look_into(0, 1);
    return std::move(found_);
  }

 private:
  void look_into(std::uint32_t rule, std::uint64_t visits) {
    constexpr std::uint64_t smallest_share = 50;
    const std::vector<Item>& items = program_.rules[rule].items;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      const std::uint64_t length = item.is_rule ? lengths_[item.index] : 1;
      const RankLoop loop{rule, i, item.repeats, length, visits};
      if (loop.events() < lengths_.front() / smallest_share) continue;
      if (item.repeats >= 2 * least_blocks) {
        found_.push_back(loop);
      } else if (item.is_rule && uses_[item.index] == 1) {
        // Of a rule that is used elsewhere, too, nothing can be left out here alone.
        look_into(item.index, visits * item.repeats);
      }
    }
  }

  const Program& program_;
  std::vector<std::uint64_t> lengths_;
  std::vector<std::uint32_t> uses_;  ///< by rule
  std::vector<RankLoop> found_;
};

std::vector<RankLoop> loops_of(const Program& program, bool largest_only) {
  std::vector<RankLoop> loops = LoopFinder(program).find();
  if (largest_only && loops.size() > 1) {
    loops = {*std::ranges::max_element(loops, {}, &RankLoop::events)};
  }
  return loops;
}

bool is_simple(const RankTimeline& timeline) {
  return timeline.threads.size() == 1 && timeline.threads.front().omissions.empty();
}

/// How many passes of the longest rank one pass of this rank is worth; nothing where that is no
/// number.
std::optional<std::uint64_t> worth_of_pass(std::uint64_t longest, std::uint64_t passes) {
  // The first or last pass of a loop may differ, so that it is outside of it.
  constexpr std::uint64_t odd_passes = 4;
  const std::uint64_t worth = (longest + passes / 2) / passes;
  const std::uint64_t all = worth * passes;
  const std::uint64_t apart = all > longest ? all - longest : longest - all;
  if (worth > most_block_passes || apart > odd_passes * worth) return std::nullopt;
  return worth;
}

/// Passes of a rank's loop that are a block.
std::uint64_t passes_of_block(const JobLoop& loop, const RankLoop& own) {
  return loop.block_passes / worth_of_pass(loop.longest, own.passes).value_or(1);
}

}  // namespace

/// What the ranks of a job have: their loops in equal order.
struct LoopCut::Ranks {
  std::vector<std::vector<RankLoop>> loops;  ///< by rank that left a timeline
  bool fit = true;

  void read(TimelineFiles& files, bool largest_only, std::uint64_t& operations) {
    loops.clear();
    fit = files.ranks().size() == files.world_size();
    operations = 0;
    for (const std::uint32_t rank : files.ranks()) {
      const RankTimeline timeline = files.read(rank);
      for (const ThreadStream& stream : timeline.threads) operations += stream.events;
      fit = fit && is_simple(timeline);
      if (!fit) continue;
      loops.push_back(loops_of(timeline.threads.front().program, largest_only));
    }
  }
  bool are_alike() const {
    return std::ranges::all_of(loops, [&](const std::vector<RankLoop>& one) {
      return std::ranges::equal(one, loops.front(), {}, &RankLoop::visits, &RankLoop::visits);
    });
  }
};

LoopCut::LoopCut(TimelineFiles& files, std::uint64_t most_operations) {
  Ranks ranks;
  ranks.read(files, false, operations_);
  kept_operations_ = operations_;
  if (operations_ <= most_operations || !ranks.fit) return;
  if (!ranks.are_alike()) {
    largest_only_ = true;
    ranks.read(files, true, operations_);
    if (!ranks.are_alike()) return;
  }
  plan(ranks, most_operations);
}

/// The loop of that number, of all ranks; nothing where their passes do not fit each other.
std::optional<JobLoop> LoopCut::common_loop(const Ranks& ranks, std::size_t number) {
  JobLoop loop;
  loop.visits = ranks.loops.front()[number].visits;
  for (const auto& rank : ranks.loops) loop.longest = std::max(loop.longest, rank[number].passes);
  for (const auto& rank : ranks.loops) {
    const auto worth = worth_of_pass(loop.longest, rank[number].passes);
    if (!worth) return std::nullopt;
    loop.block_passes = std::lcm(loop.block_passes, *worth);
    if (loop.block_passes > most_block_passes) return std::nullopt;
  }
  loop.blocks = loop.longest;
  for (const auto& rank : ranks.loops) {
    loop.blocks = std::min(loop.blocks, rank[number].passes / passes_of_block(loop, rank[number]));
  }
  return loop;
}

void LoopCut::plan(const Ranks& ranks, std::uint64_t most_operations) {
  const std::size_t count = ranks.loops.front().size();
  bool is_any = false;
  for (std::size_t l = 0; l < count; ++l) {
    JobLoop loop = common_loop(ranks, l).value_or(JobLoop{});
    std::uint64_t in_block = 0;  // operations of all ranks, in all visits
    for (const auto& rank : ranks.loops) {
      if (loop.blocks > 0)
        in_block += passes_of_block(loop, rank[l]) * rank[l].length * loop.visits;
    }
    const std::uint64_t room = in_block > 0 ? most_operations / count / in_block : 0;
    loop.kept = std::max(room, least_blocks) / 4 * 4;
    // Not for a fifth of it.
    if (loop.kept + loop.kept / 4 >= loop.blocks) loop.kept = loop.blocks;
    kept_operations_ -= loop.left_out() * in_block;
    is_any = is_any || loop.left_out() > 0;
    loops_.push_back(loop);
  }
  if (!is_any) loops_.clear();
}

std::uint64_t LoopCut::kept_of(std::uint64_t count) const {
  if (is_empty()) return count;
  return static_cast<std::uint64_t>(static_cast<double>(count) *
                                    static_cast<double>(kept_operations_) /
                                    static_cast<double>(operations_));
}

std::uint32_t LoopCut::first_mark(std::size_t loop) const {
  std::uint64_t first = 0;
  for (std::size_t l = 0; l < loop; ++l) {
    if (loops_[l].left_out() > 0) first += loops_[l].visits * (loops_[l].kept + 1);
  }
  return static_cast<std::uint32_t>(first);
}

RankTimeline LoopCut::cut(RankTimeline whole) const {
  if (is_empty()) return whole;
  Program& program = whole.threads.front().program;
  const std::vector<RankLoop> found = loops_of(program, largest_only_);
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    if (loops_[l].left_out() == 0) continue;
    program.rules[found[l].rule].items[found[l].item].repeats -=
        loops_[l].left_out() * passes_of_block(loops_[l], found[l]);
  }
  return whole;
}

/// Goes through a program pass by pass where loops are that were cut, and notes where blocks end.
class LoopCut::Marker {
 public:
  Marker(const LoopCut& cut, const Program& program)
      : cut_(cut),
        program_(program),
        lengths_(lengths(program)),
        loops_(loops_of(program, cut.largest_only_)),
        has_loops_(program.rules.size()),
        visited_(loops_.size()) {
    for (const RankLoop& loop : loops_) has_loops_[loop.rule] = true;
    for (std::size_t rule = has_loops_.size(); rule-- > 0;) {
      for (const Item& item : program.rules[rule].items) {
        if (item.is_rule && has_loops_[item.index]) has_loops_[rule] = true;
      }
    }
  }

  std::vector<LoopMark> marks() {
    go_through(0);
    return std::move(marks_);
  }

 private:
  void go_through(std::uint32_t rule) {
    const std::vector<Item>& items = program_.rules[rule].items;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      const auto loop = std::ranges::find_if(
          loops_, [&](const RankLoop& one) { return one.rule == rule && one.item == i; });
      if (loop != loops_.end()) {
        pass_loop(static_cast<std::size_t>(loop - loops_.begin()));
      } else if (item.is_rule && has_loops_[item.index]) {
        for (std::uint64_t pass = 0; pass < item.repeats; ++pass) go_through(item.index);
      } else {
        events_ += item.repeats * (item.is_rule ? lengths_[item.index] : 1);
      }
    }
  }

  void pass_loop(std::size_t l) {
    const JobLoop& loop = cut_.loops_[l];
    const std::uint64_t passes = passes_of_block(loop, loops_[l]);
    if (loop.left_out() > 0) {
      const std::uint64_t first = cut_.first_mark(l) + visited_[l]++ * (loop.kept + 1);
      for (std::uint64_t block = 0; block <= loop.kept; ++block) {
        marks_.push_back({events_ + block * passes * loops_[l].length,
                          static_cast<std::uint32_t>(first + block)});
      }
    }
    events_ += (loops_[l].passes - loop.left_out() * passes) * loops_[l].length;
  }

  const LoopCut& cut_;
  const Program& program_;
  std::vector<std::uint64_t> lengths_;
  std::vector<RankLoop> loops_;
  std::vector<bool> has_loops_;         ///< by rule
  std::vector<std::uint64_t> visited_;  ///< by loop
  std::vector<LoopMark> marks_;
  std::uint64_t events_ = 0;
};

std::vector<LoopMark> LoopCut::marks(const RankTimeline& whole) const {
  if (is_empty()) return {};
  return Marker(*this, whole.threads.front().program).marks();
}

}  // namespace kith::timeline
