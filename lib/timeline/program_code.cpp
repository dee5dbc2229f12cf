#include "timeline/program_code.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "protocol/packer.hpp"
#include "timeline/list_code.hpp"

namespace kith::timeline {
namespace {

/// Which fields of an event follow its operation; all others are as in Event{}.
enum Has : unsigned {
  has_bytes = 1,
  has_peer = 2,
  has_tag = 4,
  has_comm = 8,
  has_list = 16,
  has_element = 32,
  has_flags = 64,
  has_all = 127
};

void put_event(Packer& out, const Event& event) {
  const unsigned has = (event.bytes != 0 ? has_bytes : 0U) |
                       (event.peer != no_peer ? has_peer : 0U) | (event.tag != 0 ? has_tag : 0U) |
                       (event.comm != 0 ? has_comm : 0U) | (event.list != 0 ? has_list : 0U) |
                       (event.element != 0 ? has_element : 0U) |
                       (event.flags != 0 ? has_flags : 0U);
  out.put_number(static_cast<std::uint64_t>(event.op));
  out.put_number(has);
  if ((has & has_bytes) != 0) out.put_number(event.bytes);
  if ((has & has_peer) != 0) out.put_number(zigzag(event.peer));
  if ((has & has_tag) != 0) out.put_number(zigzag(event.tag));
  if ((has & has_comm) != 0) out.put_number(event.comm);
  if ((has & has_list) != 0) out.put_number(event.list);
  if ((has & has_element) != 0) out.put_number(event.element);
  if ((has & has_flags) != 0) out.put_number(event.flags);
}

std::int32_t get_int32(ByteReader& in, std::string_view what) {
  const std::size_t begin = in.at();
  const std::int64_t value = in.signed_number(what);
  if (value < INT32_MIN || value > INT32_MAX) {
    in.refuse_at(begin, std::string(what) + " of 32 bits", std::to_string(value));
  }
  return static_cast<std::int32_t>(value);
}

/// An index below `size`.
std::uint32_t get_index(ByteReader& in, std::size_t size, std::string_view what) {
  if (size == 0) in.refuse("no " + std::string(what), "one");
  return static_cast<std::uint32_t>(in.number_to(size - 1, what));
}

Event get_event(ByteReader& in, std::size_t lists) {
  Event event;
  event.op = static_cast<Op>(in.number_to(op_count - 1, "an operation"));
  const std::uint64_t has = in.number_to(has_all, "the fields of an event");
  if ((has & has_bytes) != 0) event.bytes = in.number("the bytes of an event");
  if ((has & has_peer) != 0) event.peer = get_int32(in, "a peer");
  if ((has & has_tag) != 0) event.tag = get_int32(in, "a tag");
  if ((has & has_comm) != 0) event.comm = in.number32("a communicator");
  if ((has & has_list) != 0) event.list = get_index(in, lists, "a list");
  if ((has & has_element) != 0) event.element = in.number32("the size of an element");
  if ((has & has_flags) != 0) {
    event.flags = static_cast<std::uint8_t>(in.number_to(UINT8_MAX, "the flags of an event"));
  }
  return event;
}

/// Bits below an item's index.
enum ItemBits : unsigned { item_is_rule = 1, item_repeats = 2, item_next_times = 4 };
constexpr unsigned item_bits = 3;

void put_item(Packer& out, const Item& item, std::uint32_t& last_times) {
  const bool next = !item.is_rule && item.times == last_times + 1;
  const unsigned bits = (item.is_rule ? item_is_rule : 0U) |
                        (item.repeats != 1 ? item_repeats : 0U) | (next ? item_next_times : 0U);
  out.put_number(std::uint64_t{item.index} << item_bits | bits);
  if (item.repeats != 1) out.put_number(item.repeats);
  if (item.is_rule) return;
  if (!next) out.put_number(item.times);
  if (item.times != 0) last_times = item.times;
}

Item get_item(ByteReader& in, const Program& program, std::size_t rule, std::size_t rules,
              std::uint32_t& last_times) {
  Item item;
  const std::size_t begin = in.at();
  const std::uint64_t head = in.number("an item of a rule");
  const std::uint64_t index = head >> item_bits;
  item.is_rule = (head & item_is_rule) != 0;
  if (index >= (item.is_rule ? rules : program.events.size()) || (item.is_rule && index <= rule)) {
    in.refuse_at(begin, item.is_rule ? "a later rule" : "an event of the program",
                 "number " + std::to_string(index));
  }
  item.index = static_cast<std::uint32_t>(index);
  if ((head & item_repeats) != 0) item.repeats = in.number("how often an item is repeated");
  if (item.repeats == 0) in.refuse_at(begin, "an item at least once", "0 times");
  if (item.is_rule) return item;
  if ((head & item_next_times) != 0) {
    if (last_times == UINT32_MAX) in.refuse_at(begin, "times of an event", "an index above 32 bits");
    item.times = last_times + 1;
  } else {
    item.times = in.number32("times of an event");
  }
  if (item.times != 0) last_times = item.times;
  return item;
}

/// Refuses what is too deep or too long. Rules refer to later ones: the last one goes first.
void check_size(const Program& program, const ByteReader& in) {
  constexpr std::uint64_t most = UINT64_MAX >> 1U;
  std::vector<std::uint64_t> length(program.rules.size());
  std::vector<std::uint32_t> depth(program.rules.size());
  for (std::size_t rule = program.rules.size(); rule-- > 0;) {
    for (const Item& item : program.rules[rule].items) {
      const std::uint64_t once = item.is_rule ? length[item.index] : 1;
      if (once != 0 && item.repeats > (most - length[rule]) / once) {
        in.refuse("less than 2^63 events", "more in rule " + std::to_string(rule));
      }
      length[rule] += once * item.repeats;
      if (item.is_rule) depth[rule] = std::max(depth[rule], depth[item.index] + 1);
    }
    if (depth[rule] > deepest_nesting) {
      in.refuse("rules at most " + std::to_string(deepest_nesting) + " deep in each other",
                std::to_string(depth[rule]));
    }
  }
}

/// The entries of a list; refuses what is not a list.
template <int fields>
std::uint64_t entries_of(std::string_view bytes, const ByteReader& in) {
  std::uint64_t entries = 0;
  for_each_stretch<fields>(ByteReader(in.name(), bytes, in.place()),
                           [&](const auto& stretch) { entries += stretch.entries; });
  return entries;
}

/// Calls `visit(list, is_of_completion)` for each list that an event has, once.
template <class Visit>
void for_each_used_list(const Program& program, Visit&& visit) {
  std::vector<std::array<bool, 2>> seen(program.lists.size());
  for (const Event& event : program.events) {
    const bool completion = is_completion(event.op);
    if (std::exchange(seen[event.list][completion ? 1 : 0], true)) continue;
    visit(program.lists[event.list], completion);
  }
}

void check_lists(const Program& program, const ByteReader& in) {
  std::uint64_t entries = 0;
  for_each_used_list(program, [&](const std::string& list, bool completion) {
    entries += completion ? entries_of<completed_request_fields>(list, in)
                          : entries_of<inner_message_fields>(list, in);
    if (entries > most_list_entries) in.refuse("lists of at most 2^24 entries together", "more");
  });
}

}  // namespace

std::string encode_program(const Program& program) {
  Packer out;
  out.put_number(program.lists.size());
  for (const std::string& list : program.lists) {
    out.put_number(list.size());
    out.put_bytes(list);
  }
  out.put_number(program.events.size());
  for (const Event& event : program.events) put_event(out, event);
  out.put_number(program.rules.size());
  std::uint32_t last_times = 0;
  for (const Rule& rule : program.rules) {
    out.put_number(rule.items.size());
    for (const Item& item : rule.items) put_item(out, item, last_times);
  }
  return out.take();
}

Program decode_program(ByteReader in) {
  Program program;
  const std::size_t lists = in.count("lists");
  program.lists.reserve(lists);
  for (std::size_t i = 0; i < lists; ++i) program.lists.emplace_back(in.text("a list"));
  if (lists == 0 || !program.lists.front().empty()) {
    in.refuse("an empty list in front", lists == 0 ? "no list" : "one with entries");
  }
  const std::size_t events = in.count("events", 2);
  program.events.reserve(events);
  for (std::size_t i = 0; i < events; ++i) program.events.push_back(get_event(in, lists));
  const std::size_t rules = in.count("rules");
  if (rules == 0) in.refuse("rules", "none");
  program.rules.resize(rules);
  std::uint32_t last_times = 0;
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const std::size_t items = in.count("items of a rule");
    program.rules[rule].items.reserve(items);
    for (std::size_t i = 0; i < items; ++i) {
      program.rules[rule].items.push_back(get_item(in, program, rule, rules, last_times));
    }
  }
  in.expect_end("a program");
  check_size(program, in);
  check_lists(program, in);
  return program;
}

ProgramNeeds needs_of(const Program& program) {
  ProgramNeeds needs;
  for (const Event& event : program.events) {
    needs.communicators = std::max(needs.communicators, event.comm);
  }
  for (const Rule& rule : program.rules) {
    for (const Item& item : rule.items) needs.times = std::max(needs.times, item.times);
  }
  return needs;
}

namespace {

/// Peers are differences to `rank`.
class PeerCheck {
 public:
  PeerCheck(std::uint32_t rank, std::uint32_t world_size, const ByteReader& in)
      : rank_(rank), world_size_(world_size), in_(in) {}

  void check(std::int64_t peer) const {
    if (peer == no_peer) return;
    if (peer < -rank_ || peer >= world_size_ - rank_) refuse(peer);
  }
  template <int fields, int peer_field>
  void check_list(std::string_view bytes) const {
    const ByteReader list(in_.name(), bytes, in_.place());
    for_each_stretch<fields>(list, [&](const ListStretch<fields>& stretch) {
      const std::int64_t step = stretch.step[peer_field];
      check(stretch.at(0, peer_field));
      if (stretch.entries == 1 || step == 0) return;
      // Short steps, few of them: the last entry is where it seems to be.
      if (step < -std::int64_t{UINT32_MAX} || step > UINT32_MAX) refuse(step);
      const std::int64_t last = stretch.at(stretch.entries - 1, peer_field);
      if (last == no_peer) refuse(last);
      check(last);
    });
  }

 private:
  [[noreturn]] void refuse(std::int64_t peer) const {
    in_.refuse("peers among the " + std::to_string(world_size_) + " ranks of the world",
               "one " + std::to_string(peer) + " from rank " + std::to_string(rank_));
  }

  std::int64_t rank_;
  std::int64_t world_size_;
  const ByteReader& in_;
};

}  // namespace

void check_peers(const Program& program, std::uint32_t rank, std::uint32_t world_size,
                 const ByteReader& in) {
  const PeerCheck peers(rank, world_size, in);
  for (const Event& event : program.events) {
    const bool to_a_rank = is_send(event.op) || is_receive(event.op) || is_one_sided(event.op) ||
                           (event.op >= Op::probe && event.op <= Op::improbe);
    if (to_a_rank) peers.check(event.peer);
  }
  for_each_used_list(program, [&](const std::string& list, bool completion) {
    if (completion) {
      peers.check_list<completed_request_fields, 2>(list);
    } else {
      peers.check_list<inner_message_fields, 0>(list);
    }
  });
}

}  // namespace kith::timeline
