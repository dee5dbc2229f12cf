#include "core/job_packing.hpp"

#include "core/packer.hpp"

namespace kith {

std::string pack_job(const JobDescription& job) {
  Packer packer;
  packer.put<std::uint64_t>(job.hosts.size());
  for (const JobHost& host : job.hosts) {
    packer.put_text(host.name);
    packer.put(host.hardware);
  }
  packer.put<std::uint64_t>(job.hardware.size());
  for (const JobHardware& hardware : job.hardware) {
    packer.put_text(hardware.digest);
    packer.put_text(hardware.xml);
  }
  packer.put<std::uint64_t>(job.processes.size());
  for (const JobProcess& process : job.processes) {
    packer.put(process.rank);
    packer.put(process.host);
    packer.put<std::uint64_t>(process.cpus.size());
    for (const std::uint32_t cpu : process.cpus) packer.put(cpu);
  }
  return packer.take();
}

JobDescription unpack_job(std::string_view bytes) {
  Unpacker unpacker(bytes);
  JobDescription job;
  job.hosts.resize(unpacker.get<std::uint64_t>());
  for (JobHost& host : job.hosts) {
    host.name = unpacker.get_text();
    host.hardware = unpacker.get<std::uint32_t>();
  }
  job.hardware.resize(unpacker.get<std::uint64_t>());
  for (JobHardware& hardware : job.hardware) {
    hardware.digest = unpacker.get_text();
    hardware.xml = unpacker.get_text();
  }
  job.processes.resize(unpacker.get<std::uint64_t>());
  for (JobProcess& process : job.processes) {
    process.rank = unpacker.get<std::uint32_t>();
    process.host = unpacker.get<std::uint32_t>();
    process.cpus.resize(unpacker.get<std::uint64_t>());
    for (std::uint32_t& cpu : process.cpus) cpu = unpacker.get<std::uint32_t>();
  }
  return job;
}

}  // namespace kith
