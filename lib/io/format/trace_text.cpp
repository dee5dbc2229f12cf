#include "io/format/trace_text.hpp"

#include "core/digest.hpp"
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

}  // namespace

std::string meta_json_text(const TraceMetaText& meta) {
  JsonText json;
  json.begin_object();
  json.key("format").value(trace_format_version);
  json.key("kith_version").value(meta.kith_version);
  json.key("program").value(meta.program);
  json.key("ranks").value(meta.ranks);
  json.key("mpi_library").value(meta.mpi_library);
  json.key("hosts").begin_array();
  for (const std::string& host : meta.hosts) json.value(host);
  json.end_array();
  json.key("phases").begin_array();
  for (const TraceMetaText::Phase& phase : meta.phases) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(phase.name).key("file").value(phase.file);
    json.end_object();
  }
  json.end_array();
  json.key("sources").begin_object(JsonLayout::line);
  json.key("collectives").value(meta.collectives);
  if (!meta.note.empty()) json.key("note").value(meta.note);
  json.end_object();
  if (!meta.partial) put_totals(json, meta.totals);
  json.key("partial").value(meta.partial);
  if (!meta.run.empty()) json.key("run").value(meta.run);
  json.end_object();
  return json.take();
}

std::string machine_json_text(const MachineText& machine) {
  JsonText json;
  json.begin_object();
  json.key("format").value(trace_format_version);
  json.key("hosts").begin_array();
  for (const MachineText::Host& host : machine.hosts) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(host.name).key("hardware").value(host.hardware);
    json.end_object();
  }
  json.end_array();
  json.key("hardware").begin_array();
  for (const MachineText::Hardware& hardware : machine.hardware) {
    json.begin_object(JsonLayout::line);
    json.key("digest").value(hardware.digest).key("file");
    if (hardware.file.empty()) {
      json.null();
    } else {
      json.value(hardware.file);
    }
    json.end_object();
  }
  json.end_array();
  json.key("ranks").begin_array();
  std::uint32_t launcher_rank = 0;
  for (const MachineText::Process& process : machine.processes) {
    json.begin_object(JsonLayout::line);
    json.key("rank").value(process.rank);
    json.key("launcher_rank").value(launcher_rank++);
    json.key("host").value(process.host);
    json.key("cpus").value(cpu_list_text(process.cpus));
    json.end_object();
  }
  json.end_array();
  json.key("hosts_digest").value(hosts_digest_of(machine.hosts, machine.processes));
  json.end_object();
  return json.take();
}

std::string hosts_digest_of(const std::vector<MachineText::Host>& hosts,
                            const std::vector<MachineText::Process>& processes) {
  Digest digest;
  for (const MachineText::Process& process : processes) {
    digest.add(hosts[process.host].name).add("\n");
  }
  return digest.hex();
}

std::string cpu_list_text(const std::vector<std::uint32_t>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[i]);
    if (last > i) text += '-' + std::to_string(cpus[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace kith
