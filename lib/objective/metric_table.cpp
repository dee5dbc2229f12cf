#include "objective/metric_table.hpp"

#include <optional>

namespace kith {
namespace {

template <class Number>
MetricValue known(const std::optional<Number>& number) {
  return number ? MetricValue(*number) : MetricValue();
}

constexpr std::string_view far = "how far bytes travel";
constexpr std::string_view near = "what stays near";
constexpr std::string_view busy = "what is busy";

// A new metric is a member of Metrics, its sum in evaluate.cpp, and a row here.
constexpr Metric table[] = {
    {"hop_bytes", "bytes", "Hop-bytes", far, "bytes times the hops they go",
     [](const Metrics& m) { return MetricValue(m.hop_bytes); }},
    {"hops_per_byte", "number", "Hops per byte", far, "the hops that a byte goes on average",
     [](const Metrics& m) { return MetricValue(m.hops_per_byte); }},
    {"sum_com", "number", "Sum of costs", far, "bytes times the cost of their route",
     [](const Metrics& m) { return MetricValue(m.sum_com); }},
    {"max_com", "number", "Maximum pair cost", far, "bytes times cost of one pair",
     [](const Metrics& m) { return MetricValue(m.max_com); }},
    {"mapping_quality", "number", "Mapping quality", far,
     "bytes divided by the cost of their route: more is better",
     [](const Metrics& m) { return MetricValue(m.mapping_quality); }},
    {"level_bytes", "bytes", "", near, "bytes that meet at each level of the machine, top down",
     [](const Metrics& m) { return MetricValue(m.level_bytes); }},
    {"max_link_load", "bytes", "Busiest link", busy, "bytes over the link that carries most",
     [](const Metrics& m) { return known(m.max_link_load); }},
    {"network_time", "seconds", "Busiest link's time", busy,
     "seconds that the busiest link takes by its bandwidth, with headers where messages are known",
     [](const Metrics& m) { return MetricValue(m.network_time); }},
    {"busiest_host", "bytes", "Busiest host", busy,
     "bytes that the busiest host sends to others, or receives, with headers where messages are "
     "known",
     [](const Metrics& m) { return known(m.busiest_host); }, "one host"},
    {"average_link_load", "bytes", "Mean link", busy, "bytes over a link, the mean of all links",
     [](const Metrics& m) { return known(m.average_link_load); }},
    {"numa_bytes", "bytes", "", near, "bytes between each two NUMA nodes that hold ranks",
     [](const Metrics& m) { return MetricValue(m.numa_bytes); }},
    {"reduction_value", "bytes", "", near,
     "bytes that each group of ranks on a lowest object of the machine exchanges with all others, "
     "summed: what goes between two groups counts for both",
     [](const Metrics& m) { return known(m.reduction_value); }, "none"},
};

}  // namespace

std::span<const Metric> metric_table() {
  return table;
}

}  // namespace kith
