#include "core/did_you_mean.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace kith {

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

namespace {

/// So many mistakes are taken for mistyping.
std::size_t most_edits(std::string_view word) {
  constexpr std::size_t few = 4;
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  return letters <= few ? 1 : 1 + letters / 3;
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  if (word.size() < 3 || word.size() > 64) return {};
  std::string_view nearest;
  // An option cut short is no typing mistake: what it begins comes before what merely resembles it.
  if (word.size() > 3) {
    for (const std::string& candidate : known) {
      if (!candidate.starts_with(word)) continue;
      if (nearest.empty() || candidate.size() < nearest.size()) nearest = candidate;
    }
  }
  if (!nearest.empty()) return " (did you mean " + std::string(nearest) + "?)";
  std::size_t least = most_edits(word);
  // Files that end alike are no more alike for it.
  const std::string_view ending = word.substr(std::min(word.rfind('.'), word.size()));
  const std::size_t of_files = most_edits(word.substr(0, word.size() - ending.size()));
  for (const std::string& candidate : known) {
    if (candidate.size() > word.size() + least) continue;  // farther apart than that
    const std::size_t apart = edits_between(word, candidate);
    if (!ending.empty() && candidate.ends_with(ending) && apart > of_files) continue;
    if (apart < least || (apart == least && nearest.empty())) {
      least = apart;
      nearest = candidate;
    }
  }
  if (nearest.empty()) return {};
  return " (did you mean " + std::string(nearest) + "?)";
}

}  // namespace kith
