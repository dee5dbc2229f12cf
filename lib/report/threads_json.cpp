#include <vector>

#include "report/report_json.hpp"

namespace kith {
namespace {

constexpr std::size_t most_fault_bytes = 1000;

void put_matrix(JsonText& json, const ReportThreads::Matrix& matrix) {
  json.begin_object();
  json.key("rank").value(matrix.rank).key("threads").value(matrix.threads);
  json.key("samples").value(matrix.samples).key("sharing").value(matrix.is_sharing);
  json.key("pairs").begin_array();
  for (const ReportThreads::Pair& pair : matrix.pairs) {
    json.begin_array().value(pair.a).value(pair.b).value(pair.touches).end_array();
  }
  json.end_array();
  json.key("block").value(matrix.touches.block).key("side").value(matrix.touches.side);
  put_cells(json, matrix.touches);
  json.end_object();
}

template <class Value>
void put_first(JsonText& json, const char* key, const std::vector<Value>& values,
               std::size_t most) {
  json.key(key).begin_array(JsonLayout::line);
  for (std::size_t i = 0; i < values.size() && i < most; ++i) json.value(values[i]);
  json.end_array();
}

}  // namespace

void put_threads(JsonText& json, const ReportThreads& threads) {
  json.key("threads").begin_object();
  json.key("ranks").value(threads.ranks).key("sharing").value(threads.sharing);
  json.key("list").begin_array();
  for (const ReportThreads::Matrix& matrix : threads.matrices) put_matrix(json, matrix);
  json.end_array().end_object();
}

void put_binding(JsonText& json, const std::vector<BindingFault>& faults, std::size_t most_hosts) {
  json.key("binding").begin_array();
  for (const BindingFault& fault : faults) {
    json.begin_object();
    json.key("rule").value(fault.rule);
    json.key("what").value(clipped(fault.what, most_fault_bytes));
    json.key("mend").value(fault.mend);
    put_first(json, "ranks", fault.ranks, fault.ranks.size());
    put_first(json, "hosts", fault.hosts, most_hosts);
    if (fault.hosts.size() > most_hosts) {
      json.key("more_hosts").value(std::uint64_t{fault.hosts.size() - most_hosts});
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace kith
