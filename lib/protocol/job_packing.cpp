#include "protocol/job_packing.hpp"

#include <stdexcept>

namespace kith {
namespace {

void pack_levels(Packer& packer, const std::vector<LevelCost>& levels) {
  packer.put_number(levels.size());
  for (const LevelCost& level : levels) {
    packer.put_text(level.level);
    packer.put(level.cost);
    packer.put(level.latency_us);
    packer.put(level.megabytes_per_s);
  }
}

/// A list can't have more items than there are bytes left.
template <class Item>
void resize(std::vector<Item>& items, Unpacker& unpacker) {
  const std::uint64_t count = unpacker.get_number();
  if (count > unpacker.remaining()) {
    throw std::runtime_error("a message between processes was cut short");
  }
  items.resize(count);
}

void unpack_levels(Unpacker& unpacker, std::vector<LevelCost>& levels) {
  resize(levels, unpacker);
  for (LevelCost& level : levels) {
    level.level = unpacker.get_text();
    level.cost = unpacker.get<std::uint64_t>();
    level.latency_us = unpacker.get<double>();
    level.megabytes_per_s = unpacker.get<double>();
  }
}

void pack_hosts(Packer& packer, const std::vector<JobHost>& hosts) {
  packer.put_number(hosts.size());
  for (const JobHost& host : hosts) {
    packer.put_text(host.name);
    packer.put_number(host.hardware);
    packer.put_number(host.switches.size());
    for (const std::string& name : host.switches) packer.put_text(name);
  }
}

void unpack_hosts(Unpacker& unpacker, std::vector<JobHost>& hosts) {
  resize(hosts, unpacker);
  for (JobHost& host : hosts) {
    host.name = unpacker.get_text();
    host.hardware = static_cast<std::uint32_t>(unpacker.get_number());
    resize(host.switches, unpacker);
    for (std::string& name : host.switches) name = unpacker.get_text();
  }
}

}  // namespace

void pack_cpus(Packer& packer, const CpuSet& cpus) {
  packer.put_number(cpus.ranges().size());
  std::uint32_t before = 0;
  for (const CpuSet::Range& range : cpus.ranges()) {
    packer.put_number(range.first - before);
    packer.put_number(range.last - range.first);
    before = range.last;
  }
}

CpuSet unpack_cpus(Unpacker& unpacker) {
  CpuSet cpus;
  std::uint64_t last = 0;
  for (std::uint64_t count = unpacker.get_number(); count > 0; --count) {
    const std::uint64_t first = last + unpacker.get_number();
    last = first + unpacker.get_number();
    cpus.add(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  }
  return cpus;
}

std::string pack_job(const JobDescription& job) {
  Packer packer;
  packer.put_text(job.network.source);
  pack_levels(packer, job.network.levels);
  pack_levels(packer, job.network.host_levels);
  pack_hosts(packer, job.hosts);
  packer.put_number(job.hardware.size());
  for (const JobHardware& hardware : job.hardware) {
    packer.put_text(hardware.digest);
    packer.put_text(hardware.xml);
  }
  packer.put_number(job.processes.size());
  for (const JobProcess& process : job.processes) {
    packer.put_number(process.rank);
    packer.put_number(process.host);
    pack_cpus(packer, process.cpus);
  }
  return packer.take();
}

JobDescription unpack_job(std::string_view bytes) {
  Unpacker unpacker(bytes);
  JobDescription job;
  job.network.source = unpacker.get_text();
  unpack_levels(unpacker, job.network.levels);
  unpack_levels(unpacker, job.network.host_levels);
  unpack_hosts(unpacker, job.hosts);
  resize(job.hardware, unpacker);
  for (JobHardware& hardware : job.hardware) {
    hardware.digest = unpacker.get_text();
    hardware.xml = unpacker.get_text();
  }
  resize(job.processes, unpacker);
  for (JobProcess& process : job.processes) {
    process.rank = static_cast<std::uint32_t>(unpacker.get_number());
    process.host = static_cast<std::uint32_t>(unpacker.get_number());
    process.cpus = unpack_cpus(unpacker);
  }
  return job;
}

}  // namespace kith
