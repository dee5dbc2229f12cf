#include "mapping/budget.hpp"
#include "mapping/registry.hpp"
#include "mapping/search/search_plan.hpp"

namespace kith {

// auto: the best answer of Kith's own mapper and of the published mappers that can finish.

namespace {

class AutoMapper final : public Mapper {
 public:
  std::string_view name() const override { return "auto"; }
  std::string_view summary() const override {
    return "the best of kith and published mappers that can finish; never worse than identity";
  }
  std::string_view source() const override { return "the best of kith and published mappers"; }
  bool uses(ExtraInput input) const override { return input == ExtraInput::coordinates; }

  Answer map(const MapTask& problem) const override {
    return search_mapping(problem, Candidates::all);
  }
};

}  // namespace

const Mapper& auto_mapper() {
  static const AutoMapper mapper;
  return mapper;
}

// Kith's own mapper: tilings of grids and multilevel division, the best of them refined.

namespace {

class KithMapper final : public Mapper {
 public:
  std::string_view name() const override { return "kith"; }
  std::string_view summary() const override {
    return "cuts grids of ranks into blocks, divides any graph level by level, improves the best; "
           "never worse than identity";
  }
  std::string_view source() const override { return "Kith's own"; }
  bool uses(ExtraInput input) const override { return input == ExtraInput::coordinates; }

  Answer map(const MapTask& problem) const override {
    return search_mapping(problem, Candidates::own);
  }
};

}  // namespace

const Mapper& kith_mapper() {
  static const KithMapper mapper;
  return mapper;
}

}  // namespace kith
