// GSEARCH: Balzuweit, Bunde, Leung, Finley, Lee: "Local search to improve task mapping", 2014,
// figure 2; the limit of section IV-B; the two variations of section IV-C. It begins with GEOM.
//
// What the paper leaves open, and what is done here:
// - Average hops: the objective (of equal weights, hop-bytes are average hops up to a factor).
// - The search goes on with the next pair after a swap, as figure 2 does; in the variations ties go
//   to the lowest rank, then to its lowest partner.
// - Variation 1, "all swaps involving a given rank": those of figure 2, with higher ranks, which
//   costs about as much time as GSEARCH (the paper: 2% more); with all of them it is 70% more.
// - Fixed ranks are put on their slots before the search, and stay there.
#include <array>
#include <limits>
#include <string_view>

#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "mapping/published/geom/geom.hpp"
#include "mapping/registry.hpp"

namespace kith {
namespace {

constexpr MapperSetting limit_setting{"limit", "off", "on: at most 0.35 n + 20 swaps of n ranks"};

constexpr MapperSetting partners_setting{
    "partners", "higher",
    "higher: a rank chooses among swaps with higher ranks, as in figure 2; all: among all"};

class GsearchMapper : public Mapper {
 public:
  GsearchMapper(std::string_view name, std::string_view summary, std::string_view source,
                SwapChoice choice)
      : name_(name), summary_(summary), source_(source), choice_(choice) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  std::string_view source() const override { return source_; }
  std::span<const MapperSetting> settings() const override {
    static constexpr std::array all{rotations_setting, shifts_setting, node_order_setting,
                                    limit_setting};
    return all;
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::coordinates; }

  Answer map(const MapTask& problem) const override {
    const SwapChoice chosen = choice(problem.options);
    const auto limit = MapperSettings(*this, problem.options).flag(limit_setting.name)
                           ? gsearch_swap_limit(problem.graph.ranks())
                           : std::numeric_limits<std::uint64_t>::max();
    Mapping mapping = map_by_geometry(*this, problem, geom_options(*this, problem.options));
    mapping = place_fixed_ranks(problem, std::move(mapping));
    search_swaps(problem, mapping, chosen, limit);
    return {std::move(mapping), std::string(name_)};
  }

 protected:
  virtual SwapChoice choice(const MapOptions&) const { return choice_; }

 private:
  std::string_view name_;
  std::string_view summary_;
  std::string_view source_;
  SwapChoice choice_;
};

class GsearchRankMapper final : public GsearchMapper {
 public:
  using GsearchMapper::GsearchMapper;
  std::span<const MapperSetting> settings() const override {
    static constexpr std::array all{rotations_setting, shifts_setting, node_order_setting,
                                    limit_setting, partners_setting};
    return all;
  }

 protected:
  SwapChoice choice(const MapOptions& options) const override {
    return MapperSettings(*this, options).choice(partners_setting.name, {"higher", "all"}) == 0
               ? SwapChoice::best_of_higher
               : SwapChoice::best_of_rank;
  }
};

}  // namespace

const Mapper& gsearch_mapper() {
  static const GsearchMapper mapper(
      "gsearch", "geom, then each swap of two ranks that helps",
      "Balzuweit, Bunde, Leung, Finley, Lee: Local search to improve task mapping, 2014, figure 2",
      SwapChoice::first);
  return mapper;
}

const Mapper& gsearch_rank_mapper() {
  static const GsearchRankMapper mapper(
      "gsearch-rank", "geom, then rank by rank the best swap that involves it",
      "Balzuweit, Bunde, Leung, Finley, Lee: Local search to improve task mapping, 2014, section "
      "IV-C, variation 1",
      SwapChoice::best_of_higher);
  return mapper;
}

const Mapper& gsearch_best_mapper() {
  static const GsearchMapper mapper(
      "gsearch-best", "geom, then the best swap of all, again and again",
      "Balzuweit, Bunde, Leung, Finley, Lee: Local search to improve task mapping, 2014, section "
      "IV-C, variation 2",
      SwapChoice::best_of_all);
  return mapper;
}

}  // namespace kith
