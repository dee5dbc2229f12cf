#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "kith/machine.hpp"

namespace kith {
namespace {

constexpr std::string_view expected_list = "slots such as 0-7,16-23";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A list of two million slots fits in a line; without a limit a device would fill the memory.
constexpr std::size_t longest_line = std::size_t{1} << 24;

/// What the lists of one place may name, and how errors name the place.
struct SlotLists {
  std::string_view option;  // or FILE:LINE
  std::uint64_t slots;
};

Slot parse_slot(std::string_view text, const SlotLists& lists, std::string_view item) {
  const auto value = parse_unsigned(trimmed(text));
  if (!value || *value >= max_index_count) {
    throw bad_input(lists.option, expected_list, in_quotes(item));
  }
  if (*value >= lists.slots) {
    throw bad_input(lists.option, "slots below " + std::to_string(lists.slots),
                    std::to_string(*value));
  }
  return Slot(static_cast<std::uint32_t>(*value));
}

/// Adds the intervals of one list, blanks allowed around items.
void parse_list(std::string_view list, const SlotLists& lists,
                std::vector<SlotSet::Interval>& intervals) {
  while (true) {
    const auto comma = list.find(',');
    const auto item = trimmed(list.substr(0, comma));
    const auto dash = item.find('-');
    const Slot first = parse_slot(item.substr(0, dash), lists, item);
    const Slot last =
        dash == std::string_view::npos ? first : parse_slot(item.substr(dash + 1), lists, item);
    if (last < first) {
      throw bad_input(lists.option, "a range with its smaller slot first", in_quotes(item));
    }
    intervals.push_back({first, last});
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

void parse_file(const std::string& name, const SlotLists& lists,
                std::vector<SlotSet::Interval>& intervals) {
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    throw bad_input(lists.option, std::string(expected_list) + " or a file of such lists",
                    in_quotes(name));
  }
  LineReader in(name);
  in.limit_lines(longest_line);
  std::string_view line;
  while (in.next(line)) {
    const auto list = trimmed(line.substr(0, line.find('#')));
    const std::string where = in.file() + ":" + std::to_string(in.line());
    if (!list.empty()) parse_list(list, {where, lists.slots}, intervals);
  }
}

}  // namespace

void SlotSet::append(Interval interval) {
  before_.push_back(size_);
  intervals_.push_back(interval);
  size_ += std::uint64_t{interval.last.value} - interval.first.value + 1;
}

SlotSet SlotSet::of(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, [](const Interval& i) { return i.first; });
  SlotSet set;
  std::optional<Interval> open;
  for (const Interval& next : intervals) {
    if (open && next.first.value <= std::uint64_t{open->last.value} + 1) {
      open->last = std::max(open->last, next.last);
    } else {
      if (open) set.append(*open);
      open = next;
    }
  }
  if (open) set.append(*open);
  return set;
}

SlotSet SlotSet::all(std::uint32_t count) {
  SlotSet set;
  if (count > 0) set.append({Slot(0), Slot(count - 1)});
  return set;
}

SlotSet SlotSet::of(std::vector<Slot> slots) {
  std::vector<Interval> intervals;
  intervals.reserve(slots.size());
  for (const Slot slot : slots) intervals.push_back({slot, slot});
  return of(std::move(intervals));
}

SlotSet SlotSet::parse(std::string_view text, std::string_view option, std::uint64_t slots) {
  const SlotLists lists{option, slots};
  std::vector<Interval> intervals;
  const bool is_list = text.find_first_not_of("0123456789,- \t") == std::string_view::npos;
  if (is_list) {
    parse_list(text, lists, intervals);
  } else {
    parse_file(std::string(text), lists, intervals);
  }
  if (intervals.empty())
    throw bad_input(option, "at least one slot", "none in " + std::string(text));
  return of(std::move(intervals));
}

bool SlotSet::contains(Slot slot) const {
  const auto after =
      std::ranges::upper_bound(intervals_, slot, {}, [](const Interval& i) { return i.first; });
  return after != intervals_.begin() && slot <= std::prev(after)->last;
}

Slot SlotSet::at(std::uint64_t i) const {
  const auto after = std::ranges::upper_bound(before_, i);
  const auto k = static_cast<std::size_t>(std::distance(before_.begin(), after)) - 1;
  return Slot(static_cast<std::uint32_t>(intervals_[k].first.value + (i - before_[k])));
}

std::uint64_t SlotSet::index_of(Slot slot) const {
  const auto after =
      std::ranges::upper_bound(intervals_, slot, {}, [](const Interval& i) { return i.first; });
  if (after == intervals_.begin()) return 0;
  const auto k = static_cast<std::size_t>(std::distance(intervals_.begin(), after)) - 1;
  const Interval& interval = intervals_[k];
  if (slot > interval.last) {
    return before_[k] + (std::uint64_t{interval.last.value} - interval.first.value + 1);
  }
  return before_[k] + (slot.value - interval.first.value);
}

std::vector<Slot> SlotSet::to_vector() const {
  std::vector<Slot> slots;
  slots.reserve(size_);
  for (const Interval& interval : intervals_) {
    for (Slot slot = interval.first; slot <= interval.last; ++slot) slots.push_back(slot);
  }
  return slots;
}

SlotSet SlotSet::intersected(const SlotSet& other) const {
  SlotSet set;
  auto a = intervals_.begin();
  auto b = other.intervals_.begin();
  while (a != intervals_.end() && b != other.intervals_.end()) {
    const Slot first = std::max(a->first, b->first);
    const Slot last = std::min(a->last, b->last);
    if (first <= last) set.append({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  return set;
}

SlotSet SlotSet::without(const SlotSet& other) const {
  SlotSet set;
  auto hole = other.intervals_.begin();
  for (Interval rest : intervals_) {
    while (hole != other.intervals_.end() && hole->last < rest.first) ++hole;
    bool used_up = false;
    for (auto h = hole; h != other.intervals_.end() && h->first <= rest.last; ++h) {
      if (rest.first < h->first) set.append({rest.first, Slot(h->first.value - 1)});
      if (h->last >= rest.last) {
        used_up = true;
        break;
      }
      rest.first = Slot(h->last.value + 1);
    }
    if (!used_up) set.append(rest);
  }
  return set;
}

}  // namespace kith
