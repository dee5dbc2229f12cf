#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/line_reader.hpp"
#include "core/suggest.hpp"
#include "kith/error.hpp"
#include "mapping/mappers.hpp"

namespace kith {
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
