#include "record/collectives/openmpi/settings.hpp"

namespace kith::record::openmpi {
namespace {

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

}  // namespace kith::record::openmpi
