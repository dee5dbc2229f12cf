#include "report/metrics_json.hpp"

#include <variant>
#include <vector>

#include "objective/metric_table.hpp"

namespace kith {
namespace {

void put_numa_bytes(JsonText& json, const NumaBytes& bytes) {
  json.begin_object(JsonLayout::line);
  json.key("level").value(bytes.level);
  json.key("sum").value(bytes.sum);
  json.key("average").value(bytes.average);
  json.key("max").value(bytes.max);
  json.key("min").value(bytes.min);
  json.end_object();
}

/// Writes a MetricValue; what is not known is null.
struct ValueWriter {
  JsonText& json;

  void operator()(std::monostate) const { json.null(); }
  void operator()(std::uint64_t number) const { json.value(number); }
  void operator()(double number) const { json.value(number); }
  void operator()(const Quantity& quantity) const { put_quantity(json, quantity); }
  void operator()(const NumaBytes& bytes) const { put_numa_bytes(json, bytes); }
  void operator()(const std::vector<std::uint64_t>& list) const {
    if (list.empty()) {
      json.null();
      return;
    }
    json.begin_array(JsonLayout::line);
    for (const std::uint64_t bytes : list) json.value(bytes);
    json.end_array();
  }
};

}  // namespace

void put_quantity(JsonText& json, const Quantity& quantity) {
  if (quantity.integral()) {
    json.value(std::uint64_t{quantity.units / quantity.scale});
  } else {
    json.value(quantity.value());
  }
}

void put_metrics(JsonText& json, const Metrics& metrics) {
  json.begin_object();
  for (const Metric& metric : metric_table()) {
    json.key(metric.name);
    std::visit(ValueWriter{json}, metric.value(metrics));
  }
  json.end_object();
}

}  // namespace kith
