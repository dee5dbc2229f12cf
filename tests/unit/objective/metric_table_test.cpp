#include "objective/metric_table.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace kith {
namespace {

const Metric& metric(std::string_view name) {
  return *std::ranges::find(metric_table(), name, &Metric::name);
}

TEST(MetricTable, EachNameIsThereOnceWithUnitAndMeaning) {
  std::set<std::string_view> names;
  for (const Metric& one : metric_table()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_THAT(one.unit, testing::AnyOf("bytes", "number", "seconds")) << one.name;
    EXPECT_FALSE(one.meaning.empty()) << one.name;
  }
}

TEST(MetricTable, ValuesAreThoseOfTheMembers) {
  Metrics metrics;
  metrics.hop_bytes = 7;
  metrics.max_com = {5, 2};
  metrics.level_bytes = {3, 4};
  metrics.numa_bytes.sum = 9;
  EXPECT_EQ(std::get<std::uint64_t>(metric("hop_bytes").value(metrics)), 7);
  EXPECT_EQ(std::get<Quantity>(metric("max_com").value(metrics)).value(), 2.5);
  EXPECT_THAT(std::get<std::vector<std::uint64_t>>(metric("level_bytes").value(metrics)),
              testing::ElementsAre(3, 4));
  EXPECT_EQ(std::get<NumaBytes>(metric("numa_bytes").value(metrics)).sum, 9);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(metric("max_link_load").value(metrics)));
  metrics.max_link_load = 11;
  EXPECT_EQ(std::get<std::uint64_t>(metric("max_link_load").value(metrics)), 11);
}

}  // namespace
}  // namespace kith
