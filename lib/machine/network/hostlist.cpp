// Slurm's hostlist expressions, there and back.
#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "machine/network/node_list.hpp"

namespace kith {
namespace {

constexpr std::size_t longest_name = 255;

class Expansion {
 public:
  Expansion(std::string_view text, std::string_view where, std::uint64_t limit)
      : text_(text), where_(where), limit_(limit) {}

  std::vector<std::string> run() {
    while (true) {
      expand_item();
      if (at_ == text_.size()) return std::move(names_);
      ++at_;  // the comma
    }
  }

 private:
  Error error() const {
    return bad_input(where_, "a hostlist such as tux[0-3,7],gpu01", in_quotes(text_));
  }

  Error too_many() const {
    return bad_input(where_, "at most " + std::to_string(limit_) + " nodes",
                     "more in " + in_quotes(text_));
  }

  /// Up to the next comma outside brackets, or the end.
  void expand_item() {
    std::vector<std::string> item{""};
    while (at_ < text_.size() && text_[at_] != ',') {
      if (text_[at_] == '[') {
        item = with_each(item, numbers());
      } else {
        const std::size_t end = std::min(text_.find_first_of("[],", at_), text_.size());
        const std::string_view literal = text_.substr(at_, end - at_);
        if (literal.empty() || literal.find_first_of(" \t") != std::string_view::npos ||
            item.front().size() + literal.size() > longest_name) {
          throw error();
        }
        for (std::string& name : item) name += literal;
        at_ = end;
      }
    }
    if (item.front().empty()) throw error();
    if (item.size() > limit_ - names_.size()) throw too_many();
    std::ranges::move(item, std::back_inserter(names_));
  }

  std::vector<std::string> with_each(const std::vector<std::string>& heads,
                                     const std::vector<std::string>& tails) const {
    if (heads.size() > limit_ / tails.size()) throw too_many();
    if (heads.front().size() + tails.back().size() > longest_name) throw error();
    std::vector<std::string> out;
    out.reserve(heads.size() * tails.size());
    for (const std::string& head : heads) {
      for (const std::string& tail : tails) out.push_back(head + tail);
    }
    return out;
  }

  /// "[0-3,07]", from the bracket on, as digits.
  std::vector<std::string> numbers() {
    const std::size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) throw error();
    std::vector<std::string> out;
    for (const std::string_view range : split(text_.substr(at_ + 1, end - at_ - 1), ',')) {
      const std::size_t dash = range.find('-');
      const std::string_view low = range.substr(0, dash);
      const auto first = parse_unsigned(low);
      const auto last =
          dash == std::string_view::npos ? first : parse_unsigned(range.substr(dash + 1));
      if (!first || !last || *last < *first || low.size() > longest_name) throw error();
      if (*last - *first >= limit_ - out.size()) throw too_many();
      for (std::uint64_t number = *first; number <= *last; ++number) {
        std::string digits = std::to_string(number);
        if (digits.size() < low.size()) digits.insert(0, low.size() - digits.size(), '0');
        out.push_back(std::move(digits));
        if (number == UINT64_MAX) break;
      }
    }
    at_ = end + 1;
    return out;
  }

  std::string_view text_;
  std::string_view where_;
  std::uint64_t limit_;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
};

/// A name cut around the number that becomes a range.
struct Numbered {
  std::string_view prefix;
  std::string_view digits;  // empty: no number
  std::string_view suffix;
};

Numbered cut(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t longest_number = 18;
  const std::size_t last = name.substr(0, name.find('.')).find_last_of(digits);
  if (last == std::string_view::npos) return {name, {}, {}};
  const std::size_t before = name.find_last_not_of(digits, last);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  if (last + 1 - begin > longest_number) return {name, {}, {}};
  return {name.substr(0, begin), name.substr(begin, last + 1 - begin), name.substr(last + 1)};
}

/// "099" is followed by "100", "99" by "100", but "99" not by "0100".
bool follows(std::string_view digits, std::string_view before) {
  const std::uint64_t number = parse_unsigned(digits).value_or(0);
  if (number != parse_unsigned(before).value_or(0) + 1) return false;
  return digits.size() == before.size() || digits.front() != '0';
}

/// Of digits of one prefix and suffix: "7" or "[0-3,7]".
std::string ranges(std::vector<std::string_view> digits) {
  std::ranges::sort(digits, [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  digits.erase(std::unique(digits.begin(), digits.end()), digits.end());
  if (digits.size() == 1) return std::string(digits.front());
  std::string out = "[";
  for (std::size_t i = 0; i < digits.size();) {
    std::size_t last = i;
    while (last + 1 < digits.size() && follows(digits[last + 1], digits[last])) ++last;
    if (i > 0) out += ',';
    out += digits[i];
    if (last > i) out.append("-").append(digits[last]);
    i = last + 1;
  }
  return out + "]";
}

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view text, std::string_view where,
                                         std::uint64_t limit) {
  return Expansion(text, where, limit).run();
}

std::string compress_hostlist(std::span<const std::string> names) {
  struct Group {
    Numbered first;
    std::vector<std::string_view> digits;
  };
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (const std::string& name : names) {
    const Numbered parts = cut(name);
    // No name has a blank: it marks the place of the number.
    std::string key(parts.prefix);
    if (!parts.digits.empty()) key.append(" ").append(parts.suffix);
    const auto [found, is_new] = known.try_emplace(std::move(key), groups.size());
    if (is_new) groups.push_back({parts, {}});
    if (!parts.digits.empty()) groups[found->second].digits.push_back(parts.digits);
  }
  std::string out;
  for (Group& group : groups) {
    if (!out.empty()) out += ',';
    out += group.first.prefix;
    if (!group.digits.empty()) out += ranges(std::move(group.digits));
    out += group.first.suffix;
  }
  return out;
}

}  // namespace kith
