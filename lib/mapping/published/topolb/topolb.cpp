// TopoLB: Agarwal, Sharma, Kale: "Topology-aware task mapping for reducing communication contention
// on large parallel machines", IPDPS 2006, algorithm 1 with the three estimation functions of
// section 4.3. `topolb` is the paper's own choice, the second order. RefineTopoLB is
// `topolb+refine`.
//
// What the paper leaves open, and what is done here:
// - Ties go to the lowest task and the lowest slot, as the loops of algorithm 1 do; estimates are
//   integers, so that equal ones are equal.
// - Algorithm 1 divides the sum of a task's estimates by n - k, the text speaks of the
// average over
//   the available processors, of which cycle k has n - k + 1. The average is taken; the setting
//   `divisor` chooses the other.
// - Fewer tasks than slots: the processors are all allowed slots. The average of the gain and the
//   third order's expectation go over the free ones, the second order's over all of them.
// - More ranks than slots: tasks are groups of ranks, as even as can be; Scotch makes them where
//   the paper takes METIS (make_tasks()).
// - Distances are those of the objective: hops as in the paper, or the machine's costs.

#include "mapping/published/topolb/topolb.hpp"

#include <array>

#include "mapping/budget.hpp"
#include "mapping/registry.hpp"

namespace kith {
namespace {

constexpr std::array topolb_settings{
    MapperSetting{"divisor", "free",
                  "what the sum of a task's estimates is divided by: free (slots), or printed (one "
                  "less, as algorithm 1 has it)"},
};

class TopoLbMapper final : public Mapper {
 public:
  TopoLbMapper(topolb::Order order, std::string_view name, std::string_view summary,
               std::string_view source)
      : order_(order), name_(name), summary_(summary), source_(source) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  std::string_view source() const override { return source_; }
  std::span<const MapperSetting> settings() const override { return topolb_settings; }

  Answer map(const MapTask& problem) const override {
    const MapperSettings settings(*this, problem.options);
    topolb::Estimation estimation;
    estimation.order = order_;
    estimation.algorithm = name_;
    estimation.printed_divisor = settings.choice("divisor", {"free", "printed"}) == 1;
    const topolb::Tasks tasks = topolb::make_tasks(problem, name());
    return {mapping_of(tasks, place_by_estimate(tasks.graph, problem, estimation)),
            std::string(name_)};
  }

 private:
  topolb::Order order_;
  std::string_view name_;
  std::string_view summary_;
  std::string_view source_;
};

}  // namespace

const Mapper& topolb_mapper() {
  static const TopoLbMapper mapper(
      topolb::Order::second, "topolb",
      "places next the rank whose place matters most, unplaced partners taken as anywhere",
      "Agarwal, Sharma, Kale: TopoLB, IPDPS 2006, algorithm 1, second order estimation");
  return mapper;
}

const Mapper& topolb_first_order_mapper() {
  static const TopoLbMapper mapper(
      topolb::Order::first, "topolb-1", "topolb that looks at placed partners only",
      "Agarwal, Sharma, Kale: TopoLB, IPDPS 2006, algorithm 1, first order estimation");
  return mapper;
}

const Mapper& topolb_third_order_mapper() {
  static const TopoLbMapper mapper(
      topolb::Order::third, "topolb-3", "topolb that takes unplaced partners as on free slots",
      "Agarwal, Sharma, Kale: TopoLB, IPDPS 2006, algorithm 1, third order estimation");
  return mapper;
}

}  // namespace kith
