#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "kith/error.hpp"
#include "mapping/mappers.hpp"

namespace kith {
namespace {

constexpr std::string_view refine_suffix = "+refine";

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

Error unknown_algorithm(std::string_view name, std::string_view option) {
  constexpr std::size_t longest_name = 64;  // the comparison is quadratic
  std::string known;
  const Mapper* nearest = nullptr;
  std::size_t least = 4;  // more than three changes are no typing error
  for (const Mapper* mapper : mappers()) {
    known.append(known.empty() ? "one of " : ", ").append(mapper->name());
    if (name.size() > longest_name) continue;
    const std::size_t changes = edit_distance(name, mapper->name());
    if (changes < least && changes < mapper->name().size()) {
      least = changes;
      nearest = mapper;
    }
  }
  known.append(" (each with or without ").append(refine_suffix).append(")");
  std::string found("\"");
  found.append(name).append("\"");
  if (nearest != nullptr) found.append(" (did you mean ").append(nearest->name()).append("?)");
  return bad_input(option, known, found);
}

}  // namespace

std::span<const Mapper* const> mappers() {
  // A new mapper is one file, one line in mappers.hpp and one here.
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

Algorithm find_algorithm(std::string_view name, std::string_view option) {
  Algorithm algorithm;
  std::string_view base = name;
  if (base.ends_with(refine_suffix)) {
    algorithm.refine = true;
    base.remove_suffix(refine_suffix.size());
  }
  const auto all = mappers();
  const auto found = std::ranges::find(all, base, &Mapper::name);
  if (found == all.end()) throw unknown_algorithm(base, option);
  algorithm.mapper = *found;
  return algorithm;
}

}  // namespace kith
