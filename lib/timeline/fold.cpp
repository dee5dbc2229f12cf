#include "timeline/fold.hpp"

#include <algorithm>

#include "core/digest.hpp"

namespace kith::timeline {
namespace {

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    hash = hash_with(hash, word);
  }
  return hash;
}

/// A table of entry numbers + 1, open addressing, at most half full.
class NumberTable {
 public:
  using Slots = GrowingArray<std::uint32_t>;
  explicit NumberTable(Slots& slots) : slots_(slots) {}

  /// The number of the entry that `same` accepts; `free_slot` is where one would be entered.
  template <class Same>
  bool find(std::uint64_t hash, Same&& same, std::uint32_t& number, std::size_t& free_slot) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      if (slots_[i] == 0) {
        free_slot = i;
        return false;
      }
      if (same(slots_[i] - 1)) {
        number = slots_[i] - 1;
        return true;
      }
    }
  }
  void enter(std::size_t slot, std::uint32_t number) { slots_[slot] = number + 1; }

  /// Room for one more than `entries`; `hash_at(number)` is that of an entry.
  template <class HashAt>
  bool make_room(std::size_t entries, HashAt&& hash_at) {
    if ((entries + 1) * 2 <= slots_.size()) return true;
    const std::size_t size = slots_.size() == 0 ? 64 : slots_.size() * 2;
    if (!slots_.reserve(size - slots_.size())) return false;
    slots_.clear();
    for (std::size_t i = 0; i < size; ++i) slots_.push(0);
    const std::size_t mask = size - 1;
    for (std::size_t number = 0; number < entries; ++number) {
      std::size_t i = hash_at(number) & mask;
      while (slots_[i] != 0) i = (i + 1) & mask;
      slots_[i] = static_cast<std::uint32_t>(number) + 1;
    }
    return true;
  }

 private:
  Slots& slots_;
};

}  // namespace

Folder::Folder(MemoryAccount& account, Clock clock)
    : account_(account),
      clock_(clock),
      symbols_(account),
      symbol_table_(account),
      list_bytes_(account),
      lists_(account),
      list_table_(account),
      nodes_(account),
      rules_(account),
      free_rules_(account),
      dead_rules_(account),
      times_(account),
      buckets_(account),
      pending_(account) {
  if (!nodes_.reserve(16) || !rules_.reserve(4) || !times_.reserve(1) || !lists_.reserve(1) ||
      !free_rules_.reserve(1)) {
    full_ = true;
    return;
  }
  nodes_.push({});
  times_.push({});
  lists_.push({});
  new_rule();
  rehash_pairs();
}

// --- events and lists ---------------------------------------------------------------------------

/// `unregistered` without memory.
Folder::Index Folder::event_number(const Event& event) {
  NumberTable table(symbol_table_);
  const auto hash_at = [&](std::size_t number) { return hash_of(symbols_[number]); };
  if (!symbols_.reserve(1) || !table.make_room(symbols_.size(), hash_at)) return unregistered;
  Index number = 0;
  std::size_t slot = 0;
  const auto same = [&](Index other) { return symbols_[other] == event; };
  if (table.find(hash_of(event), same, number, slot)) return number;
  number = static_cast<Index>(symbols_.size());
  symbols_.push(event);
  table.enter(slot, number);
  return number;
}

std::uint32_t Folder::list_number(std::string_view encoded, bool lasting) {
  if (encoded.empty() || (gap_left_ != 0 && !lasting)) return 0;
  NumberTable table(list_table_);
  const auto text_at = [&](std::size_t number) {
    return std::string_view(list_bytes_.data() + lists_[number].at, lists_[number].size);
  };
  const auto hash_at = [&](std::size_t number) { return hash_of(text_at(number)); };
  if (lists_.size() == 0 || !lists_.reserve(1) || !table.make_room(lists_.size(), hash_at)) {
    full_ = true;
    return 0;
  }
  Index number = 0;
  std::size_t slot = 0;
  const auto same = [&](Index other) { return text_at(other) == encoded; };
  if (table.find(hash_of(encoded), same, number, slot)) return number;
  if (account_.is_empty() || !list_bytes_.reserve(encoded.size())) {
    full_ = true;
    return 0;
  }
  number = static_cast<Index>(lists_.size());
  lists_.push({list_bytes_.size(), encoded.size()});
  for (const char byte : encoded) list_bytes_.push(byte);
  table.enter(slot, number);
  return number;
}

// --- the loop that is under way -----------------------------------------------------------------

void Folder::predict() {
  for (;;) {
    const Frame& frame = frames_[depth_ - 1];
    const Index symbol = nodes_[frame.node].symbol;
    if (!is_rule(symbol)) {
      predicted_ = &symbols_[symbol];
      return;
    }
    if (depth_ == most_depth) {
      predicted_ = nullptr;  // the next event flushes
      return;
    }
    frames_[depth_++] = {rule_of(symbol), first_of(rule_of(symbol)), 0};
  }
}

// A node has passed as often as it is repeated: on to the next one, up through the rules that end
// here.
void Folder::finish_node() {
  for (;;) {
    Frame& frame = frames_[depth_ - 1];
    frame.node = nodes_[frame.node].next;
    frame.done = 0;
    if (!is_guard(frame.node)) break;
    if (depth_ == 1) {
      ++nodes_[tail()].repeats;
      frame.node = first_of(frame.rule);
      break;
    }
    --depth_;
    Frame& outer = frames_[depth_ - 1];
    if (++outer.done < nodes_[outer.node].repeats) break;
  }
  predict();
}

/// Whether `event` may be the first of another round of the loop at the end of the stream; then it
/// is taken.
bool Folder::begin_prediction(Index event) {
  const Node& last = nodes_[tail()];
  if (is_guard(tail()) || !is_rule(last.symbol) || last.repeats < 2) return false;
  depth_ = 1;
  frames_[0] = {rule_of(last.symbol), first_of(rule_of(last.symbol)), 0};
  predict();
  if (predicted_ == nullptr || nodes_[frames_[depth_ - 1].node].symbol != event) {
    depth_ = 0;
    predicted_ = nullptr;
    return false;
  }
  open_tail();
  advance();
  return true;
}

// The round breaks off: what has passed of it stands behind the loop by itself. Its times stay with
// the loop.
void Folder::flush_prediction() {
  std::size_t count = 0;
  for_each_pending([&](const Unit&) { ++count; });
  predicted_ = nullptr;
  pending_.clear();
  if (!pending_.reserve(count)) {
    depth_ = 0;
    full_ = true;
    return;
  }
  for_each_pending([&](const Unit& unit) { pending_.push(unit); });
  depth_ = 0;
  // What is reduced meanwhile must not dissolve the rules that still have to be appended.
  for (std::size_t i = 0; i < count; ++i) {
    if (is_rule(pending_[i].symbol)) ++rules_[rule_of(pending_[i].symbol)].held;
  }
  for (std::size_t i = 0; i < count; ++i) {
    append_unit(pending_[i].symbol, pending_[i].repeats);
    if (is_rule(pending_[i].symbol)) --rules_[rule_of(pending_[i].symbol)].held;
  }
}

void Folder::append_new(const Event& event, std::uint64_t sent) {
  if (gap_left_ == 0) {
    if (depth_ != 0) flush_prediction();
    if (account_.is_empty()) full_ = true;
    if (!full_ && is_stretch_over()) begin_gap();
    if (is_keeping() && keep(event)) return;
  }
  leave_out(sent);
}

/// False without memory.
bool Folder::keep(const Event& event) {
  const Index number = event_number(event);
  if (number == unregistered) {
    full_ = true;
    return false;
  }
  ++news_;
  const Index last = tail();
  if (!is_guard(last) && nodes_[last].symbol == number) {
    ++nodes_[last].repeats;
    position_ = last;
    return true;
  }
  close_tail();
  if (!begin_prediction(number)) append_unit(number, 1);
  return !full_;
}

void Folder::append_unit(Index symbol, std::uint64_t repeats) {
  close_tail();
  const Index last = tail();
  if (!is_guard(last) && nodes_[last].symbol == symbol) {
    open_tail();
    nodes_[last].repeats += repeats;
    position_ = last;
    return;
  }
  if (!nodes_.reserve(1)) {
    full_ = true;
    position_ = none;
    return;
  }
  const Index node = new_node(symbol, repeats, none);
  join(tail(), node);
  join(node, rules_[0].guard);
  add_use(symbol);
  position_ = node;
}

// --- nodes and rules ----------------------------------------------------------------------------

void Folder::join(Index left, Index right) {
  nodes_[left].next = right;
  nodes_[right].previous = left;
}

/// After nodes_.reserve(1).
Folder::Index Folder::new_node(Index symbol, std::uint64_t repeats, Index times) {
  Index node = free_nodes_;
  if (node != none) {
    free_nodes_ = nodes_[node].next;
  } else {
    node = static_cast<Index>(nodes_.size());
    nodes_.push({});
  }
  nodes_[node] = {none, none, symbol, times, unregistered, 0, repeats};
  return node;
}

void Folder::free_node(Index node) {
  nodes_[node].next = free_nodes_;
  free_nodes_ = node;
}

/// After nodes_.reserve(1) and rules_.reserve(1).
Folder::Index Folder::new_rule() {
  Index rule = 0;
  if (free_rules_.size() > 0) {
    rule = free_rules_[free_rules_.size() - 1];
    free_rules_.pop();
  } else {
    rule = static_cast<Index>(rules_.size());
    rules_.push({});
  }
  const Index guard = new_node(rule_bit | rule, 0, none);
  nodes_[guard].is_guard = 1;
  join(guard, guard);
  rules_[rule] = {guard, 0, 0, true};
  return rule;
}

void Folder::add_use(Index symbol) {
  if (is_rule(symbol)) ++rules_[rule_of(symbol)].uses;
}

void Folder::drop_use(Index symbol) {
  if (is_rule(symbol)) --rules_[rule_of(symbol)].uses;
}

// --- pairs --------------------------------------------------------------------------------------

std::size_t Folder::bucket_of(Index left) const {
  const Node& a = nodes_[left];
  const Node& b = nodes_[a.next];
  const std::uint64_t hash =
      hash_with(hash_with(std::uint64_t{a.symbol} << 32U | b.symbol, a.repeats),
                b.repeats * 0x2545f4914f6cdd1dULL);
  return static_cast<std::size_t>(hash) & (buckets_.size() - 1);
}

Folder::Index Folder::find_pair(Index left) const {
  const Node& a = nodes_[left];
  const Node& b = nodes_[a.next];
  for (Index at = buckets_[bucket_of(left)]; at != none; at = nodes_[at].chain) {
    const Node& c = nodes_[at];
    const Node& d = nodes_[c.next];
    if (c.symbol == a.symbol && c.repeats == a.repeats && d.symbol == b.symbol &&
        d.repeats == b.repeats) {
      return at;
    }
  }
  return none;
}

void Folder::enter_pair(Index left) {
  if (pairs_ >= buckets_.size()) rehash_pairs();
  Index& head = buckets_[bucket_of(left)];
  nodes_[left].chain = head;
  head = left;
  ++pairs_;
}

/// The pair of `left` and the node behind it is about to change.
void Folder::remove_pair(Index left) {
  if (nodes_[left].chain == unregistered) return;
  Index* at = &buckets_[bucket_of(left)];
  while (*at != left) at = &nodes_[*at].chain;
  *at = nodes_[left].chain;
  nodes_[left].chain = unregistered;
  --pairs_;
}

void Folder::rehash_pairs() {
  const std::size_t before = buckets_.size();
  const std::size_t size = before == 0 ? 64 : before * 2;
  if (!buckets_.reserve(size - before)) {
    if (before == 0) full_ = true;
    return;  // longer chains
  }
  buckets_.clear();
  for (std::size_t i = 0; i < size; ++i) buckets_.push(none);
  for (Index node = 1; node < nodes_.size(); ++node) {
    if (nodes_[node].chain == unregistered || nodes_[node].is_guard != 0) continue;
    Index& head = buckets_[bucket_of(node)];
    nodes_[node].chain = head;
    head = node;
  }
}

// --- the grammar --------------------------------------------------------------------------------

// The last node is open: its number of repetitions may still grow. It is closed before another one
// follows, and then its pair with the one before it counts.
void Folder::close_tail() {
  for (;;) {
    const Index last = tail();
    if (is_guard(last)) break;
    const Index left = nodes_[last].previous;
    if (is_guard(left) || nodes_[left].chain != unregistered || !check_pair(left)) break;
  }
  // Nothing refers to them any more.
  for (; dead_rules_.size() > 0; dead_rules_.pop()) {
    const Index rule = dead_rules_[dead_rules_.size() - 1];
    free_node(rules_[rule].guard);
    free_rules_.push(rule);
  }
}

void Folder::open_tail() {
  const Index left = nodes_[tail()].previous;
  if (!is_guard(left)) remove_pair(left);
}

bool Folder::has_room_for_rule() {
  const std::size_t rules = rules_.size() + 1;
  return nodes_.reserve(4) && rules_.reserve(1) && free_rules_.reserve(rules - free_rules_.size()) &&
         dead_rules_.reserve(rules - dead_rules_.size());
}

/// The pair of `left` and the next node is there: enters it, or replaces it where it occurs
/// elsewhere. Whether it was replaced.
bool Folder::check_pair(Index left) {
  const Index match = find_pair(left);
  if (match == none) {
    enter_pair(left);
    return false;
  }
  if (match == left || nested_ == most_nested) return false;
  ++nested_;
  const bool replaced = replace_pair(left, match);
  --nested_;
  return replaced;
}

/// Whether there was memory for it.
bool Folder::replace_pair(Index left, Index match) {
  const Index right = nodes_[match].next;
  const bool is_whole_rule = is_guard(nodes_[match].previous) && is_guard(nodes_[right].next) &&
                             nodes_[match].previous != rules_[0].guard;
  if (is_whole_rule) {
    const Index rule = rule_of(nodes_[nodes_[match].previous].symbol);
    substitute(left, rule);
    if (rules_[rule].alive) {
      expand_if_single(first_of(rule));
      if (rules_[rule].alive) expand_if_single(nodes_[rules_[rule].guard].previous);
    }
    return true;
  }
  if (!has_room_for_rule()) return false;
  replace_both(left, match);
  return true;
}

void Folder::replace_both(Index left, Index match) {
  const Index rule = new_rule();
  const Index guard = rules_[rule].guard;
  const Index a = new_node(nodes_[left].symbol, nodes_[left].repeats, none);
  const Index right = nodes_[left].next;
  const Index b = new_node(nodes_[right].symbol, nodes_[right].repeats, none);
  add_use(nodes_[a].symbol);
  add_use(nodes_[b].symbol);
  join(guard, a);
  join(a, b);
  join(b, guard);
  rules_[rule].held = 1;  // until both are replaced
  substitute(match, rule);
  substitute(left, rule);
  rules_[rule].held = 0;
  if (!rules_[rule].alive) return;
  if (find_pair(a) == none && nodes_[a].chain == unregistered && nodes_[a].next == b) enter_pair(a);
  expand_if_single(first_of(rule));
  if (rules_[rule].alive) expand_if_single(nodes_[rules_[rule].guard].previous);
}

/// Puts the rule in the place of `left` and the node behind it, which are its body.
void Folder::substitute(Index left, Index rule) {
  const Index right = nodes_[left].next;
  const Index before = nodes_[left].previous;
  const Index behind = nodes_[right].next;
  if (!is_guard(before)) remove_pair(before);
  remove_pair(left);
  if (!is_guard(behind)) remove_pair(right);

  const Index first = first_of(rule);
  const Index last = nodes_[rules_[rule].guard].previous;
  nodes_[first].times = merged_times(nodes_[first].times, nodes_[left].times);
  nodes_[last].times = merged_times(nodes_[last].times, nodes_[right].times);
  drop_use(nodes_[left].symbol);
  drop_use(nodes_[right].symbol);
  free_node(right);

  Index node = left;
  nodes_[node].symbol = rule_bit | rule;
  nodes_[node].repeats = 1;
  nodes_[node].times = none;
  ++rules_[rule].uses;
  join(node, behind);
  if (!is_guard(before) && nodes_[before].symbol == nodes_[node].symbol) {
    const Index far = nodes_[before].previous;
    if (!is_guard(far)) remove_pair(far);
    nodes_[before].repeats += nodes_[node].repeats;
    --rules_[rule].uses;
    join(before, behind);
    free_node(node);
    node = before;
  }
  if (!is_guard(behind) && nodes_[behind].symbol == nodes_[node].symbol) {
    const Index far = nodes_[behind].next;
    if (!is_guard(far)) remove_pair(behind);
    nodes_[node].repeats += nodes_[behind].repeats;
    --rules_[rule].uses;
    join(node, far);
    free_node(behind);
  }
  // The pairs at its two sides are new. The last node of the stream is open, and waits.
  const Index left_of = nodes_[node].previous;
  if (node != tail() && !is_guard(left_of) && check_pair(left_of)) return;
  const Index right_of = nodes_[node].next;
  if (!is_guard(right_of) && right_of != tail() && nodes_[node].chain == unregistered) {
    check_pair(node);
  }
}

/// A rule that one node names once is no rule.
void Folder::expand_if_single(Index node) {
  const Node& at = nodes_[node];
  if (is_guard(node) || !is_rule(at.symbol) || at.repeats != 1) return;
  const RuleState& rule = rules_[rule_of(at.symbol)];
  if (rule.uses == 1 && rule.held == 0) inline_rule(node);
}

void Folder::inline_rule(Index node) {
  const Index rule = rule_of(nodes_[node].symbol);
  const Index guard = rules_[rule].guard;
  Index first = nodes_[guard].next;
  Index last = nodes_[guard].previous;
  const Index before = nodes_[node].previous;
  const Index behind = nodes_[node].next;
  if (!is_guard(before)) remove_pair(before);
  if (!is_guard(behind)) remove_pair(node);
  join(before, first);
  join(last, behind);
  free_node(node);
  rules_[rule].alive = false;  // its number and guard are free when nothing refers to it any more
  rules_[rule].uses = 0;
  dead_rules_.push(rule);

  // Neighbours may be alike now.
  const auto merge = [&](Index left, Index right) {
    const Index far = nodes_[right].next;
    if (!is_guard(nodes_[left].previous)) remove_pair(nodes_[left].previous);
    if (!is_guard(far)) remove_pair(right);
    nodes_[left].repeats += nodes_[right].repeats;
    nodes_[left].times = merged_times(nodes_[left].times, nodes_[right].times);
    drop_use(nodes_[right].symbol);
    join(left, far);
    free_node(right);
  };
  const auto alike = [&](Index left, Index right) {
    return !is_guard(left) && !is_guard(right) && nodes_[left].symbol == nodes_[right].symbol;
  };
  if (alike(before, first)) {
    const bool is_short = first == last;
    merge(before, first);
    first = before;
    if (is_short) last = before;
  }
  if (alike(last, behind)) merge(last, behind);
  // A pair that occurs elsewhere stays unentered: it costs some memory, nothing else.
  const auto enter = [&](Index left) {
    if (is_guard(left) || nodes_[left].chain != unregistered) return;
    const Index right = nodes_[left].next;
    if (!is_guard(right) && right != tail() && find_pair(left) == none) enter_pair(left);
  };
  enter(nodes_[first].previous);
  enter(first);
  enter(nodes_[last].previous);
  enter(last);
}

}  // namespace kith::timeline
