#include "simulate/fair_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace kith::simulate {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

struct TestRoute {
  std::vector<std::uint32_t> links;
  double most_each = unlimited;
};
struct TestFlow {
  std::uint32_t route = 0;
  double begin = 0;
  double amount = 0;
};
struct Instance {
  std::vector<double> capacities;
  std::vector<TestRoute> routes;
  std::vector<TestFlow> flows;  ///< by begin
};

/// Rates by the definition: all grow together; who meets a full link, or its own limit, stops.
std::vector<double> max_min_rates(const Instance& all, const std::vector<std::uint32_t>& flows) {
  std::vector<double> rates(flows.size(), 0);
  std::vector<bool> stands(flows.size(), false);
  std::vector<double> left = all.capacities;
  while (std::ranges::count(stands, false) > 0) {
    std::vector<double> growing(left.size(), 0);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (stands[i]) continue;
      for (const std::uint32_t link : all.routes[all.flows[flows[i]].route].links) ++growing[link];
    }
    double step = unlimited;
    for (std::size_t l = 0; l < left.size(); ++l) {
      if (growing[l] > 0) step = std::min(step, left[l] / growing[l]);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (!stands[i]) {
        step = std::min(step, all.routes[all.flows[flows[i]].route].most_each - rates[i]);
      }
    }
    for (std::size_t l = 0; l < left.size(); ++l) left[l] -= step * growing[l];
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (stands[i]) continue;
      rates[i] += step;
      const TestRoute& route = all.routes[all.flows[flows[i]].route];
      stands[i] = rates[i] >= route.most_each * (1 - 1e-12) ||
                  std::ranges::any_of(route.links, [&](std::uint32_t link) {
                    return left[link] <= 1e-12 * all.capacities[link];
                  });
    }
  }
  return rates;
}

/// When each flow ends.
std::vector<double> ends_by_definition(const Instance& all) {
  std::vector<double> ends(all.flows.size(), -1);
  std::vector<double> left;
  for (const TestFlow& flow : all.flows) left.push_back(flow.amount);
  std::vector<std::uint32_t> active;
  std::size_t next = 0;
  double now = 0;
  while (next < all.flows.size() || !active.empty()) {
    const std::vector<double> rates = max_min_rates(all, active);
    double step = next < all.flows.size() ? all.flows[next].begin - now : unlimited;
    for (std::size_t i = 0; i < active.size(); ++i) {
      step = std::min(step, left[active[i]] / rates[i]);
    }
    now += step;
    std::vector<std::uint32_t> still;
    for (std::size_t i = 0; i < active.size(); ++i) {
      left[active[i]] -= rates[i] * step;
      if (left[active[i]] > 1e-9 * all.flows[active[i]].amount) {
        still.push_back(active[i]);
      } else {
        ends[active[i]] = now;
      }
    }
    active = std::move(still);
    while (next < all.flows.size() && all.flows[next].begin <= now) {
      active.push_back(static_cast<std::uint32_t>(next++));
    }
  }
  return ends;
}

void add_all(const Instance& all, FairShare& share) {
  for (const double capacity : all.capacities) share.add_link(capacity);
  for (const TestRoute& route : all.routes) share.add_route(route.links, route.most_each);
}

std::vector<double> ends_of(const Instance& all, FairShare& share) {
  std::vector<double> ends(all.flows.size(), -1);
  std::size_t next = 0;
  double now = 0;
  while (true) {
    const double begin = next < all.flows.size() ? all.flows[next].begin : unlimited;
    const double end = share.next_end(now);
    if (begin == unlimited && end == unlimited) return ends;
    now = std::min(begin, end);
    std::uint32_t item = 0;
    while (share.end_one(now, item)) ends[item] = now;
    for (; next < all.flows.size() && all.flows[next].begin <= now; ++next) {
      const TestFlow& flow = all.flows[next];
      share.start(flow.route, flow.amount, static_cast<std::uint32_t>(next), now);
    }
  }
}

/// `evenly`: capacities and amounts of few values, so that much happens at one moment.
Instance random_instance(std::uint32_t seed, bool evenly) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  const auto amount = [&] { return evenly ? 10.0 * (1 + below(3)) : 1 + below(100'000) / 997.0; };
  Instance all;
  const std::uint32_t links = 1 + below(8);
  for (std::uint32_t i = 0; i < links; ++i) all.capacities.push_back(amount());
  const std::uint32_t routes = 1 + below(10);
  for (std::uint32_t i = 0; i < routes; ++i) {
    TestRoute route;
    for (std::uint32_t link = 0; link < links; ++link) {
      if (below(3) == 0) route.links.push_back(link);
    }
    if (route.links.empty() || below(4) == 0) route.most_each = amount() / 4;
    all.routes.push_back(route);
  }
  const std::uint32_t flows = 1 + below(40);
  for (std::uint32_t i = 0; i < flows; ++i) {
    const double begin = evenly ? below(4) : below(1000) / 91.0;
    all.flows.push_back({below(routes), begin, amount()});
  }
  std::ranges::stable_sort(all.flows, {}, &TestFlow::begin);
  return all;
}

TEST(FairShare, IsMaxMinAsByDefinition) {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    const Instance all = random_instance(seed, seed % 2 == 0);
    FairShare share;
    add_all(all, share);
    const std::vector<double> found = ends_of(all, share);
    const std::vector<double> expected = ends_by_definition(all);
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found[i], expected[i], 1e-6 * expected[i]) << "seed " << seed << " flow " << i;
    }
  }
}

TEST(FairShare, LinksKnowWhatTheyCarried) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Instance all = random_instance(seed, false);
    FairShare share;
    add_all(all, share);
    ends_of(all, share);
    ASSERT_EQ(share.links(), all.capacities.size());
    std::vector<double> carried(share.links(), 0);
    for (const TestFlow& flow : all.flows) {
      for (const std::uint32_t link : all.routes[flow.route].links) carried[link] += flow.amount;
    }
    for (std::uint32_t link = 0; link < share.links(); ++link) {
      EXPECT_NEAR(share.carried(link), carried[link], 1e-9 * carried[link]);
      EXPECT_EQ(share.capacity(link), all.capacities[link]);
    }
  }
}

/// However many there are, and whatever the rounding.
TEST(FairShare, WhatBeginsTogetherEndsTogether) {
  Instance all;
  all.capacities = {7, 3};
  all.routes = {{{0}, unlimited}, {{0, 1}, unlimited}};
  for (int i = 0; i < 1000; ++i) all.flows.push_back({0, 1.0 / 3, 0.1});
  for (int i = 0; i < 30; ++i) all.flows.push_back({1, 1.0 / 3, 0.1});
  FairShare share;
  add_all(all, share);
  const std::vector<double> ends = ends_of(all, share);
  for (std::size_t i = 1; i < 1000; ++i) ASSERT_EQ(ends[i], ends[0]);
  for (std::size_t i = 1001; i < ends.size(); ++i) ASSERT_EQ(ends[i], ends[1000]);
}

TEST(FairShare, NobodyHasMoreThanItsLimit) {
  Instance all;
  all.capacities = {100};
  all.routes = {{{0}, 10}, {{0}, unlimited}, {{}, 5}};
  all.flows = {{0, 0, 10}, {0, 0, 20}, {1, 0, 160}, {2, 0, 20}, {2, 0, 20}};
  FairShare share;
  add_all(all, share);
  const std::vector<double> ends = ends_of(all, share);
  EXPECT_NEAR(ends[0], 1, 1e-9);
  EXPECT_NEAR(ends[1], 2, 1e-9);
  EXPECT_NEAR(ends[2], 1 + 80 / 90.0, 1e-9);  // 80 a second, then 90
  EXPECT_NEAR(ends[3], 4, 1e-9);              // no link: only its limit
  EXPECT_NEAR(ends[4], 4, 1e-9);
}

TEST(FairShare, NothingNeverEnds) {
  FairShare share;
  std::uint32_t item = 0;
  EXPECT_EQ(share.next_end(3), unlimited);
  EXPECT_FALSE(share.end_one(3, item));
}

/// What takes no time ends at once, also beside what does.
TEST(FairShare, NothingToCarry) {
  FairShare share;
  const std::uint32_t link = share.add_link(10);
  const std::uint32_t route = share.add_route({&link, 1});
  share.start(route, 10, 7, 2);
  share.start(route, 0, 8, 2);
  std::uint32_t item = 0;
  ASSERT_EQ(share.next_end(2), 2);
  ASSERT_TRUE(share.end_one(2, item));
  EXPECT_EQ(item, 8U);
  EXPECT_FALSE(share.end_one(2, item));
  EXPECT_NEAR(share.next_end(2), 3, 1e-12);
}

/// A change at one end of a line of links goes as far as it matters.
TEST(FairShare, ChangesSpread) {
  Instance all;
  constexpr std::uint32_t links = 60;
  for (std::uint32_t i = 0; i < links; ++i) all.capacities.push_back(10 + i);
  for (std::uint32_t i = 0; i + 1 < links; ++i) all.routes.push_back({{i, i + 1}, unlimited});
  all.routes.push_back({{0}, unlimited});
  for (std::uint32_t i = 0; i + 1 < links; ++i) all.flows.push_back({i, 0, 1000});
  for (int i = 0; i < 5; ++i) all.flows.push_back({links - 1, 1.0 + i, 30});
  FairShare share;
  add_all(all, share);
  const std::vector<double> found = ends_of(all, share);
  const std::vector<double> expected = ends_by_definition(all);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1e-6 * expected[i]) << i;
  }
}

}  // namespace
}  // namespace kith::simulate
