#include "report/metrics_json.hpp"

#include <optional>

namespace kith {
namespace {

template <class Number>
void put_if_known(JsonText& json, const std::optional<Number>& number) {
  if (number) {
    json.value(*number);
  } else {
    json.null();
  }
}

void put_numa_bytes(JsonText& json, const NumaBytes& bytes) {
  json.begin_object(JsonLayout::line);
  json.key("level").value(bytes.level);
  json.key("sum").value(bytes.sum);
  json.key("average").value(bytes.average);
  json.key("max").value(bytes.max);
  json.key("min").value(bytes.min);
  json.end_object();
}

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
  json.key("hop_bytes").value(metrics.hop_bytes);
  json.key("hops_per_byte").value(metrics.hops_per_byte);
  put_quantity(json.key("sum_com"), metrics.sum_com);
  put_quantity(json.key("max_com"), metrics.max_com);
  json.key("mapping_quality").value(metrics.mapping_quality);
  json.key("level_bytes");
  if (metrics.level_bytes.empty()) {
    json.null();
  } else {
    json.begin_array(JsonLayout::line);
    for (const std::uint64_t bytes : metrics.level_bytes) json.value(bytes);
    json.end_array();
  }
  put_if_known(json.key("max_link_load"), metrics.max_link_load);
  put_if_known(json.key("average_link_load"), metrics.average_link_load);
  put_numa_bytes(json.key("numa_bytes"), metrics.numa_bytes);
  put_if_known(json.key("reduction_value"), metrics.reduction_value);
  json.end_object();
}

}  // namespace kith
