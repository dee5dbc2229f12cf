// What kith info prints, as JSON.
#include <optional>
#include <vector>

#include "info/info_output.hpp"
#include "io/format/json_text.hpp"
#include "kith/detail/types.hpp"
#include "report/report_json.hpp"
#include "run_time.hpp"

namespace kith::tools {
namespace {

void put_optional(JsonText& json, const std::optional<Weight>& value) {
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

void put_meta(JsonText& json, const TraceMeta& meta) {
  json.key("program").value(meta.program);
  json.key("arguments").begin_array(JsonLayout::line);
  for (const std::string& argument : meta.arguments) json.value(argument);
  json.end_array();
  for (const auto& [key, value] :
       {std::pair{"date", &meta.date}, {"job_id", &meta.job_id}, {"directory", &meta.directory}}) {
    if (value->empty()) {
      json.key(key).null();
    } else {
      json.key(key).value(*value);
    }
  }
  json.key("kith_version").value(meta.kith_version);
  json.key("mpi_library").value(meta.mpi_library);
  json.key("partial").value(meta.partial);
  json.key("hosts").begin_array(JsonLayout::line);
  for (const std::string& host : meta.hosts) json.value(host);
  json.end_array();
  json.key("sources").begin_object(JsonLayout::line);
  json.key("collectives").value(meta.collectives);
  if (!meta.note.empty()) json.key("note").value(meta.note);
  json.end_object();
  put_optional(json.key("neighbour_bytes"), meta.totals.neighbour_bytes);
  put_optional(json.key("self_messages"), meta.totals.self_messages);
  put_optional(json.key("foreign_bytes"), meta.totals.foreign_bytes);
  put_optional(json.key("foreign_messages"), meta.totals.foreign_messages);
}

void put_load(JsonText& json, const LoadFacts& load) {
  json.key("load").begin_object();
  json.key("cpu_outside_s").begin_object(JsonLayout::line);
  json.key("mean").value(load.mean_outside_s);
  json.key("max").value(load.max_outside_s);
  json.key("min").value(load.min_outside_s).end_object();
  json.key("imbalance").value(load.imbalance);
  json.key("inside_share").value(load.inside_share);
  put_optional(json.key("instructions"), load.instructions);
  json.end_object();
}

void put_sizes(JsonText& json, const std::vector<SizeFacts>& classes) {
  json.key("sizes").begin_array();
  for (const SizeFacts& one : classes) {
    json.begin_object();
    json.key("class").value(one.call_class).key("messages").value(one.messages);
    json.key("half_at_most").value(one.half_at_most).key("all_at_most").value(one.all_at_most);
    json.key("at_most").begin_array(JsonLayout::line);
    for (const SizeCount& size : one.sizes) {
      json.begin_array(JsonLayout::line).value(size.at_most_bytes).value(size.messages).end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

template <class Value>
void put_list(JsonText& json, const char* name, const std::vector<Value>& values) {
  json.key(name).begin_array(JsonLayout::line);
  for (const auto& value : values) json.value(value);
  json.end_array();
}

void put_structure(JsonText& json, const std::optional<GridStructure>& structure) {
  json.key("structure");
  if (!structure) {
    json.null();
    return;
  }
  json.begin_object(JsonLayout::line);
  json.key("description").value(structure->description());
  put_list(json, "extents", structure->extents);
  put_list(json, "periodic", structure->periodic);
  json.key("stencil").value(structure->stencil);
  json.key("explained").value(structure->explained).end_object();
}

void put_cartesian(JsonText& json, const std::optional<CartesianTopology>& cartesian) {
  json.key("cartesian");
  if (!cartesian) {
    json.null();
    return;
  }
  json.begin_object(JsonLayout::line);
  put_list(json, "dims", cartesian->dims);
  put_list(json, "periods", cartesian->periods);
  if (cartesian->ranks.empty()) {
    json.key("ranks").null();
  } else {
    put_list(json, "ranks", cartesian->ranks);
  }
  json.end_object();
}

void put_topologies(JsonText& json, const ReorderedTopologies& topologies) {
  json.key("reordered_topologies").begin_object(JsonLayout::line);
  json.key("count").value(topologies.count);
  json.key("of_world").value(topologies.of_world).end_object();
}

void put_phases(JsonText& json, const Facts& facts) {
  json.key("phases").begin_array();
  for (const PhaseFacts& phase : facts.phases) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(phase.name).key("bytes").value(phase.bytes).key("similarity");
    if (phase.similarity) {
      json.value(*phase.similarity);
    } else {
      json.null();
    }
    if (phase.wall_seconds) json.key("wall_seconds").value(*phase.wall_seconds);
    json.end_object();
  }
  json.end_array();
  json.key("phases_differ").value(facts.phases_differ);
}

void put_network(JsonText& json, const JobNetwork& network) {
  json.key("network").begin_object(JsonLayout::line).key("source").value(network.source);
  json.key("levels").begin_array(JsonLayout::line);
  for (const LevelCost& level : network.levels) json.value(level.level);
  json.end_array().end_object();
}

}  // namespace

std::string info_json(const Trace& trace, const Facts& facts) {
  JsonText json;
  json.begin_object();
  json.key("ranks").value(trace.bytes.ranks());
  if (trace.meta) put_meta(json, *trace.meta);
  if (trace.partial) {
    json.key("rows").begin_object(JsonLayout::line).key("ranks").value(trace.partial->ranks);
    json.key("incomplete").value(trace.partial->incomplete).end_object();
  }
  json.key("entries").value(facts.entries);
  json.key("bytes").value(facts.bytes);
  json.key("self_bytes").value(facts.self_bytes);
  put_optional(json.key("messages"), facts.messages);
  json.key("classes").begin_object(JsonLayout::line);
  for (const ClassFacts& part : facts.classes) put_optional(json.key(part.name), part.bytes);
  json.end_object();
  json.key("pairs").value(facts.pairs);
  json.key("degree").begin_object(JsonLayout::line);
  json.key("mean").value(facts.mean_degree);
  json.key("max").value(facts.max_degree);
  json.end_object();
  json.key("heaviest").begin_array();
  for (const RankPair& pair : facts.heaviest) {
    json.begin_object(JsonLayout::line);
    json.key("ranks").begin_array(JsonLayout::line).value(pair.a.value).value(pair.b.value);
    json.end_array().key("bytes").value(pair.weight).end_object();
  }
  json.end_array();
  put_structure(json, facts.structure);
  if (trace.meta) put_cartesian(json, trace.meta->cartesian);
  if (trace.meta) put_topologies(json, trace.meta->reordered_topologies);
  if (trace.meta && trace.meta->wall_seconds) {
    json.key("wall_seconds").value(*trace.meta->wall_seconds);
  }
  put_phases(json, facts);
  if (facts.load) put_load(json, *facts.load);
  if (facts.time) put_time(json, trace, *facts.time);
  put_sizes(json, facts.sizes);
  if (trace.job && !trace.job->network.source.empty()) put_network(json, trace.job->network);
  json.key("places").begin_array();
  for (const Place& place : facts.places) {
    json.begin_object(JsonLayout::line);
    json.key("host").value(place.host).key("ranks").value(place.ranks).end_object();
  }
  json.end_array();
  if (trace.job) put_binding(json, facts.binding);
  if (facts.ranks_with_threads > 0) {
    json.key("threads").begin_object();
    json.key("ranks").value(facts.ranks_with_threads).key("most").value(facts.most_threads);
    json.key("sharing").value(facts.ranks_with_sharing).key("samples").value(facts.most_samples);
    json.end_object();
  }
  json.end_object();
  return json.take();
}

}  // namespace kith::tools
