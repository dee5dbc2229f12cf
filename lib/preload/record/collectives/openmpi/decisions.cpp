// The user's choice. The rules files of Open MPI's "tuned" component: numbers, and comments from #
// to the end of the line. How many collectives; per collective its number and how many communicator
// sizes; per size how many message sizes; per message size: bytes, algorithm, fan-out, segment
// size.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "record/collectives/openmpi/decisions.hpp"

namespace kith::record::openmpi {
namespace {

constexpr std::size_t largest_file = 1 << 20;
constexpr long numbered_collectives = 22;  // the last five are neighbourhood collectives

std::string content_of(const char* path) {
  std::string content;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return content;
  char buffer[4096];
  ssize_t got = 0;
  while (content.size() < largest_file && (got = read(file, buffer, sizeof buffer)) > 0) {
    content.append(buffer, static_cast<std::size_t>(got));
  }
  close(file);
  return content;
}

class Numbers {
 public:
  explicit Numbers(std::string text) : text_(std::move(text)), at_(text_.c_str()) {}

  /// The next number, skipping everything else; -1 at the end and for negative numbers.
  long next() {
    while (*at_ != '\0') {
      char* end = nullptr;
      const long value = std::strtol(at_, &end, 0);
      if (end != at_) {
        at_ = end;
        return value < 0 ? -1 : value;
      }
      if (*at_ == '#') {
        while (*at_ != '\0' && *at_ != '\n') ++at_;
      } else {
        ++at_;
      }
    }
    return -1;
  }

 private:
  std::string text_;
  const char* at_;
};

bool read_size_rule(Numbers& numbers, SizeRule& rule) {
  const long ranks = numbers.next();
  const long messages = numbers.next();
  if (ranks < 0 || messages < 0) return false;
  rule.ranks = static_cast<int>(ranks);
  for (long i = 0; i < messages; ++i) {
    const long bytes = numbers.next();
    const long algorithm = numbers.next();
    const long fanout = numbers.next();
    const long segment = numbers.next();
    if (bytes < 0 || algorithm < 0 || fanout < 0 || segment < 0) return false;
    if (i == 0 && bytes != 0) return false;  // the first one has to hold from 0 on
    rule.messages.push_back({static_cast<std::uint64_t>(bytes),
                             {static_cast<int>(algorithm), static_cast<int>(fanout),
                              static_cast<std::uint64_t>(segment)}});
  }
  return true;
}

bool read_rules(Numbers& numbers, RuleTable& rules) {
  const long collectives = numbers.next();
  if (collectives < 0 || collectives > numbered_collectives) return false;
  for (long i = 0; i < collectives; ++i) {
    const long collective = numbers.next();
    const long sizes = numbers.next();
    if (collective < 0 || collective >= numbered_collectives || sizes < 0) return false;
    std::vector<SizeRule> read;
    for (long k = 0; k < sizes; ++k) {
      read.emplace_back();
      if (!read_size_rule(numbers, read.back())) return false;
    }
    const auto index = static_cast<std::size_t>(collective);
    if (index < collective_count) rules[index] = std::move(read);
  }
  return true;
}

// The last entry that is not above what is asked for; the first one where all are.
template <class Entries, class Key>
const auto& last_within(const Entries& entries, Key limit, auto key_of) {
  const auto* best = &entries.front();
  for (const auto& entry : entries) {
    if (key_of(entry) > limit) break;
    best = &entry;
  }
  return *best;
}

Choice ruled(const std::vector<SizeRule>& rules, int ranks, std::uint64_t bytes) {
  if (rules.empty()) return {};
  const SizeRule& rule = last_within(rules, ranks, [](const SizeRule& r) { return r.ranks; });
  if (rule.messages.empty()) return {};
  return last_within(rule.messages, bytes, [](const SizeRule::Message& m) { return m.bytes; })
      .choice;
}

}  // namespace

Choice users_choice(const Settings& settings, Collective collective, int ranks,
                    std::uint64_t bytes) {
  if (!settings.dynamic) return {};
  const auto i = static_cast<std::size_t>(collective);
  const Choice choice = ruled(settings.rules[i], ranks, bytes);
  return choice.algorithm != 0 ? choice : settings.forced[i];
}

bool read_rule_file(const char* path, RuleTable& rules) {
  Numbers numbers(content_of(path));
  if (read_rules(numbers, rules)) return true;
  rules = {};
  return false;
}

}  // namespace kith::record::openmpi
