#include "io/format/trace_text.hpp"

#include "io/format/json_text.hpp"

namespace kith {
namespace {

void put_totals(JsonText& json, const TraceMetaText::Totals& totals) {
  json.key("totals").begin_object();
  json.key("bytes").value(totals.bytes);
  json.key("messages").value(totals.messages);
  json.key("p2p_bytes").value(totals.p2p_bytes);
  json.key("coll_bytes").value(totals.coll_bytes);
  json.key("rma_bytes").value(totals.rma_bytes);
  json.key("neighbour_bytes").value(totals.neighbour_bytes);
  json.key("self_bytes").value(totals.self_bytes);
  json.key("self_messages").value(totals.self_messages);
  json.key("foreign_bytes").value(totals.foreign_bytes);
  json.key("foreign_messages").value(totals.foreign_messages);
  json.end_object();
}

/// Nothing where none was recorded.
void put_timeline(JsonText& json, const std::optional<TraceMetaText::TimelineShare>& timeline) {
  if (!timeline) return;
  json.key("timeline").begin_object();
  json.key("ranks").value(timeline->ranks);
  json.key("operations").value(timeline->events);
  json.key("covered_operations").value(timeline->covered_events);
  json.key("sent_bytes").value(timeline->bytes);
  json.key("covered_sent_bytes").value(timeline->covered_bytes);
  json.end_object();
}

/// Nothing where the program made no grid.
void put_cartesian(JsonText& json, const std::optional<CartesianTopology>& cartesian) {
  if (!cartesian) return;
  json.key("cartesian").begin_object(JsonLayout::line);
  json.key("dims").begin_array(JsonLayout::line);
  for (const std::uint32_t extent : cartesian->dims) json.value(extent);
  json.end_array().key("periods").begin_array(JsonLayout::line);
  for (const bool periodic : cartesian->periods) json.value(std::uint64_t{periodic});
  json.end_array().key("ranks");
  if (cartesian->ranks.empty()) {
    json.null();
  } else {
    json.begin_array(JsonLayout::line);
    for (const std::uint32_t rank : cartesian->ranks) json.value(rank);
    json.end_array();
  }
  json.end_object();
}

void put_reordered_topologies(JsonText& json, const ReorderedTopologies& topologies) {
  if (topologies.count == 0) return;
  json.key("reordered_topologies").begin_object(JsonLayout::line);
  json.key("count").value(topologies.count);
  json.key("of_world").value(topologies.of_world).end_object();
}

void put_levels(JsonText& json, const char* name, const std::vector<LevelCost>& levels) {
  json.key(name).begin_array();
  for (const LevelCost& level : levels) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(level.level);
    if (level.cost != 0) json.key("cost_ps_per_byte").value(level.cost);
    for (const LevelMeasure& measure : level_measures) {
      const double value = level.*measure.value;
      if (value != 0) json.key(measure.json_key).value(value);
    }
    json.end_object();
  }
  json.end_array();
}

/// Nothing where nothing is known, as before networks were.
void put_network(JsonText& json, const JobNetwork& network) {
  if (network.source.empty() && network.levels.empty() && network.host_levels.empty()) return;
  json.key("network").begin_object();
  json.key("source").value(network.source);
  put_levels(json, "levels", network.levels);
  put_levels(json, "host_levels", network.host_levels);
  json.end_object();
}

void put_hosts(JsonText& json, const std::vector<JobHost>& hosts) {
  json.key("hosts").begin_array();
  for (const JobHost& host : hosts) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(host.name).key("hardware").value(host.hardware);
    if (!host.switches.empty()) {
      json.key("switches").begin_array(JsonLayout::line);
      for (const std::string& name : host.switches) json.value(name);
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

void put_hardware(JsonText& json, const std::vector<JobHardware>& kinds) {
  json.key("hardware").begin_array();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    json.begin_object(JsonLayout::line);
    json.key("digest").value(kinds[kind].digest).key("file");
    if (kinds[kind].xml.empty()) {
      json.null();
    } else {
      json.value(trace_names::host_xml(kind));
    }
    json.end_object();
  }
  json.end_array();
}

void put_cpus(JsonText& json, const char* key, const CpuSet& cpus) {
  if (!cpus.empty()) json.key(key).value(cpu_list_text(cpus));
}

void put_ranks(JsonText& json, const std::vector<JobProcess>& processes) {
  json.key("ranks").begin_array();
  std::uint32_t launcher_rank = 0;
  for (const JobProcess& process : processes) {
    json.begin_object(JsonLayout::line);
    json.key("rank").value(process.rank);
    json.key("launcher_rank").value(launcher_rank++);
    json.key("host").value(process.host);
    json.key("cpus").value(cpu_list_text(process.cpus));
    if (process.threads > 0) json.key("threads").value(process.threads);
    if (!process.gpus.empty()) json.key("gpus").value(process.gpus);
    put_cpus(json, "gpu_cpus", process.gpu_cpus);
    if (!process.nics.empty()) json.key("nics").value(process.nics);
    put_cpus(json, "nic_cpus", process.nic_cpus);
    if (!process.near_nics.empty()) json.key("near_nics").value(process.near_nics);
    put_cpus(json, "end_cpus", process.end_cpus);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string meta_json_text(const TraceMetaText& meta) {
  JsonText json;
  json.begin_object();
  json.key("format").value(trace_format_version);
  json.key("kith_version").value(meta.kith_version);
  json.key("program").value(meta.program);
  if (!meta.date.empty()) {
    json.key("arguments").begin_array();
    for (const std::string& argument : meta.arguments) json.value(argument);
    json.end_array();
    json.key("date").value(meta.date);
  }
  if (!meta.job_id.empty()) json.key("job_id").value(meta.job_id);
  if (!meta.directory.empty()) json.key("directory").value(meta.directory);
  if (!meta.launch.empty()) json.key("launch").value(meta.launch);
  json.key("ranks").value(meta.ranks);
  json.key("mpi_library").value(meta.mpi_library);
  json.key("hosts").begin_array();
  for (const std::string& host : meta.hosts) json.value(host);
  json.end_array();
  json.key("phases").begin_array();
  for (const TraceMetaText::Phase& phase : meta.phases) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(phase.name).key("file").value(phase.file);
    if (phase.wall_seconds) json.key("wall_seconds").value(*phase.wall_seconds);
    json.end_object();
  }
  json.end_array();
  json.key("sources").begin_object(JsonLayout::line);
  json.key("collectives").value(meta.collectives);
  if (!meta.note.empty()) json.key("note").value(meta.note);
  json.end_object();
  put_cartesian(json, meta.cartesian);
  put_reordered_topologies(json, meta.reordered_topologies);
  if (meta.wall_seconds) json.key("wall_seconds").value(*meta.wall_seconds);
  put_timeline(json, meta.timeline);
  if (!meta.partial) put_totals(json, meta.totals);
  json.key("partial").value(meta.partial);
  if (!meta.run.empty()) json.key("run").value(meta.run);
  json.end_object();
  return json.take();
}

std::string machine_json_text(const JobDescription& job) {
  JsonText json;
  json.begin_object();
  json.key("format").value(trace_format_version);
  put_network(json, job.network);
  put_hosts(json, job.hosts);
  put_hardware(json, job.hardware);
  put_ranks(json, job.processes);
  json.key("hosts_digest").value(job.hosts_digest());
  json.end_object();
  return json.take();
}

}  // namespace kith
