#include "mapping/search/search.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "kith/machine.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

/// Whether the search begins a step of `planned` seconds after one that was planned for 20 ms and
/// took `taken`, when all in all half a minute is left.
bool begins(std::chrono::milliseconds taken, double planned) {
  const std::unique_ptr<Machine> machine = parse_machine("tree:2x2");
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(2), 5);
  const TrafficMatrix matrix = builder.build();
  const TrafficGraph graph = TrafficGraph::from(matrix);
  MapOptions options;
  options.time_limit = 30;
  Budget budget(options);
  Search search(MapTask(graph, *machine, options, &budget), "kith");
  bool has_begun = false;
  const auto wait = [&](const MapTask&, Mapping best) {
    std::this_thread::sleep_for(taken);
    return best;
  };
  const auto propose = [&](const MapTask&) -> std::optional<Proposal> {
    has_begun = true;
    return std::nullopt;
  };
  const std::vector<Step> steps{{0.02, {}, wait}, {planned, propose, {}}};
  search.run(steps);
  EXPECT_EQ(budget.stopped(), has_begun ? Stopped::done : Stopped::time);
  return has_begun;
}

TEST(Search, BeginsWhatThePaceOfTheMachineWillEnd) {
  using std::chrono::milliseconds;
  EXPECT_TRUE(begins(milliseconds(0), 20));  // faster than planned is no promise
  EXPECT_FALSE(begins(milliseconds(0), 40));
  EXPECT_FALSE(begins(milliseconds(200), 10));  // ten times as slow: 100 s at least
  EXPECT_TRUE(begins(milliseconds(200), 0.01));
}

}  // namespace
}  // namespace kith
