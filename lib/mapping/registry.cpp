#include "mapping/registry.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/did_you_mean.hpp"
#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "core/plain_text.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

Error wrong_value(std::string_view name, std::string_view expected, std::string_view found) {
  return bad_argument("set " + std::string(name), expected, in_quotes(found));
}

}  // namespace

void check_settings(const Mapper& mapper, std::span<const SettingValue> given) {
  const auto known = mapper.settings();
  for (const SettingValue& setting : given) {
    if (std::ranges::find(known, setting.name, &MapperSetting::name) != known.end()) continue;
    std::string names;
    std::vector<std::string> candidates;
    for (const MapperSetting& one : known) {
      names.append(names.empty() ? "" : ", ").append(one.name);
      candidates.emplace_back(one.name);
    }
    throw bad_argument("set",
                       names.empty()
                           ? "none (" + std::string(mapper.name()) + " has no settings)"
                           : "one of " + names + " (what " + std::string(mapper.name()) + " has)",
                       in_quotes(setting.name) + did_you_mean(setting.name, candidates));
  }
}

std::string_view MapperSettings::text(std::string_view name) const {
  // The last one given counts, as with other options.
  const auto last = std::find_if(given_.rbegin(), given_.rend(),
                                 [&](const SettingValue& one) { return one.name == name; });
  if (last != given_.rend()) return last->value;
  const auto listed = std::ranges::find(known_, name, &MapperSetting::name);
  if (listed == known_.end()) {
    throw Error(ErrorKind::internal, "setting " + std::string(name) + " is not listed");
  }
  return listed->usual;
}

std::uint64_t MapperSettings::number(std::string_view name, std::uint64_t least,
                                     std::uint64_t most) const {
  const auto value = parse_unsigned(text(name));
  if (value && *value >= least && *value <= most) return *value;
  std::string expected = "a whole number";
  if (least > 0) expected += " from " + std::to_string(least);
  if (most < UINT64_MAX) expected += " to " + std::to_string(most);
  throw wrong_value(name, expected, text(name));
}

double MapperSettings::real(std::string_view name, double least, double most) const {
  const auto value = parse_real(text(name));
  if (value && *value >= least && *value <= most) return *value;
  throw wrong_value(name, "a number from " + std::to_string(least) + " to " + std::to_string(most),
                    text(name));
}

bool MapperSettings::flag(std::string_view name) const {
  return choice(name, {"off", "on"}) == 1;
}

std::size_t MapperSettings::choice(std::string_view name,
                                   std::initializer_list<std::string_view> choices) const {
  const auto found = std::ranges::find(choices, text(name));
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string expected;
  for (const std::string_view one : choices) {
    expected.append(expected.empty() ? "" : " or ").append(one);
  }
  throw wrong_value(name, expected, text(name));
}

namespace {

constexpr std::string_view refine_suffix = "+refine";

Error unknown_algorithm(std::string_view name, std::string_view where) {
  std::string known;
  std::vector<std::string> names;
  for (const Mapper* mapper : mappers()) {
    known.append(known.empty() ? "one of " : ", ").append(mapper->name());
    names.emplace_back(mapper->name());
  }
  known.append(" (each with or without ").append(refine_suffix).append(")");
  return bad_input(where, known, in_quotes(name) + did_you_mean(name, names));
}

}  // namespace

std::span<const Mapper* const> mappers() {
  // A new mapper is one file, one line in registry.hpp and one here.
  static const std::array all{
      &identity_mapper(),
      &random_mapper(),
      &scatter_mapper(),
      &compact_mapper(),
      &balanced_mapper(),
      &eagermap_mapper(),
      &eagermap_load_mapper(),
      &treematch_mapper(),
      &choicemap_mapper(),
      &topolb_mapper(),
      &topolb_first_order_mapper(),
      &topolb_third_order_mapper(),
      &topocentlb_mapper(),
      &geom_mapper(),
      &gsearch_mapper(),
      &gsearch_rank_mapper(),
      &gsearch_best_mapper(),
      &mpipp_mapper(),
      &scotch_mapper(),
      &kith_mapper(),
      &auto_mapper(),
  };
  return all;
}

std::string_view to_string(ExtraInput input) {
  switch (input) {
    case ExtraInput::loads:
      return "loads";
    case ExtraInput::coordinates:
      return "coordinates";
    case ExtraInput::sparse_factor:
      return "sparse-factor";
  }
  return {};
}

std::string Algorithm::name() const {
  return std::string(mapper->name()).append(refine ? refine_suffix : "");
}

Algorithm find_algorithm(std::string_view name, std::string_view where) {
  Algorithm algorithm;
  std::string_view base = name;
  if (base.ends_with(refine_suffix)) {
    algorithm.refine = true;
    base.remove_suffix(refine_suffix.size());
  }
  const auto all = mappers();
  const auto found = std::ranges::find(all, base, &Mapper::name);
  if (found == all.end()) throw unknown_algorithm(base, where);
  algorithm.mapper = *found;
  return algorithm;
}

}  // namespace kith
