#include "machine/probe_inference/probe_inference.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace kith {
namespace {

/// Of the pairs of which `is_known` is known.
double median_of(const std::vector<MeasuredPair>& pairs, double MeasuredPair::*what,
                 double MeasuredPair::*is_known) {
  std::vector<double> known;
  for (const MeasuredPair& pair : pairs) {
    if (pair.*is_known > 0) known.push_back(pair.*what);
  }
  if (known.empty()) return 0;
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  if (known.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(known.begin(), middle)) / 2;
}

/// `digits` significant ones: more would not be true.
double rounded(double value, int digits = 3) {
  if (!(value > 0)) return 0;
  const double scale = std::pow(10, digits - 1 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

LevelCost level_cost(std::string name, const std::vector<MeasuredPair>& pairs) {
  LevelCost level;
  level.level = std::move(name);
  const auto median = [&](double MeasuredPair::*what) {
    return rounded(median_of(pairs, what, what));
  };
  const double cost = median(&MeasuredPair::cost);
  if (cost > 0) level.cost = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(cost));
  level.latency_us = median(&MeasuredPair::latency_us);
  level.megabytes_per_s = median(&MeasuredPair::megabytes_per_s);
  level.overhead_us = median(&MeasuredPair::overhead_us);
  level.shared_megabytes_per_s = median(&MeasuredPair::shared_megabytes_per_s);
  level.eager_bytes = std::floor(
      median_of(pairs, &MeasuredPair::eager_bytes, &MeasuredPair::eager_bytes));  // exact
  // Measured with the bandwidth; of most pairs, or of none.
  level.burst_bytes =
      rounded(median_of(pairs, &MeasuredPair::burst_bytes, &MeasuredPair::megabytes_per_s));
  return level;
}

/// "switch3", and "switch2-3" where the layer's own name ends in a digit.
std::string switch_name(const std::string& layer, std::uint32_t number) {
  const bool ends_in_digit = std::isdigit(static_cast<unsigned char>(layer.back())) != 0;
  return layer + (ends_in_digit ? "-" : "") + std::to_string(number);
}

/// Those measured, below the host itself.
std::vector<LevelCost> levels_inside(const NetworkMeasurements& measured) {
  std::map<std::pair<std::uint32_t, std::string>, std::vector<MeasuredPair>> pairs;
  for (const auto& inside : measured.inside) {
    pairs[{inside.depth, inside.level}].push_back(inside.pair);
  }
  std::vector<LevelCost> levels;
  if (!pairs.empty() && pairs.begin()->first.second != "host") levels.push_back({"host"});
  for (const auto& [level, of_level] : pairs) levels.push_back(level_cost(level.second, of_level));
  return levels;
}

}  // namespace

HostNetwork network_of(const NetworkMeasurements& measured) {
  const auto hosts = static_cast<std::uint32_t>(measured.hosts.size());
  const InferredLevels inferred = infer_levels(hosts, measured.pairs);
  HostNetwork found;
  for (const auto& host : measured.hosts) found.hosts.push_back({host.name, {}, host.slots, true});
  if (hosts > 1) {
    std::vector<std::vector<MeasuredPair>> pairs(inferred.levels());
    for (const MeasuredPair& pair : measured.pairs) {
      pairs[inferred.meeting(pair.a, pair.b)].push_back(pair);
    }
    const auto names = unmeasured_levels(inferred.switch_of.size());
    for (std::size_t level = 0; level < names.size(); ++level) {
      found.network.levels.push_back(level_cost(names[level].level, pairs[level]));
    }
    for (std::size_t layer = 0; layer < inferred.switch_of.size(); ++layer) {
      for (std::uint32_t host = 0; host < hosts; ++host) {
        found.hosts[host].switches.push_back(
            switch_name(names[layer + 1].level, inferred.switch_of[layer][host]));
      }
    }
  }
  found.network.host_levels = levels_inside(measured);
  return found;
}

}  // namespace kith
