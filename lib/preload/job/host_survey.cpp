#include "job/host_survey.hpp"

#include <stdexcept>

#include "protocol/messages.hpp"

namespace kith::preload {
namespace {

/// Most ranks are told of no device: that costs no byte of its own.
bool has_devices(const JobProcess& process) {
  return !process.gpus.empty() || !process.nics.empty();
}

MemberReport unpack(Unpacker& unpacker) {
  MemberReport member;
  JobProcess& process = member.process;
  member.comm_rank = static_cast<std::uint32_t>(unpacker.get_number());
  process.rank = static_cast<std::uint32_t>(unpacker.get_number());
  process.cpus = protocol::unpack_cpus(unpacker);
  const std::uint64_t rest = unpacker.get_number();
  process.threads = static_cast<std::uint32_t>(rest / 2);
  if (rest % 2 == 0) return member;
  process.gpus = unpacker.get_text();
  process.gpu_cpus = protocol::unpack_cpus(unpacker);
  process.nics = unpacker.get_text();
  process.nic_cpus = protocol::unpack_cpus(unpacker);
  process.near_nics = unpacker.get_text();
  return member;
}

}  // namespace

std::string pack(const MemberReport& member) {
  const JobProcess& process = member.process;
  Packer packer;
  packer.put_number(member.comm_rank);
  packer.put_number(process.rank);
  protocol::pack_cpus(packer, process.cpus);
  packer.put_number(std::uint64_t{process.threads} * 2 + (has_devices(process) ? 1 : 0));
  if (!has_devices(process)) return packer.take();
  packer.put_text(process.gpus);
  protocol::pack_cpus(packer, process.gpu_cpus);
  packer.put_text(process.nics);
  protocol::pack_cpus(packer, process.nic_cpus);
  packer.put_text(process.near_nics);
  return packer.take();
}

MemberReport unpack_member(std::string_view bytes) {
  Unpacker unpacker(bytes);
  return unpack(unpacker);
}

std::string pack(const HostReport& host) {
  Packer packer;
  for (const std::string* const text :
       {&host.name, &host.kernel, &host.digest, &host.slurm_address, &host.slurm_pattern}) {
    packer.put_text(*text);
  }
  for (const std::string& member : host.members) packer.put_bytes(member);
  return packer.take();
}

HostSurvey::HostSurvey(std::size_t ranks) : present_(ranks) {
  job_.processes.resize(ranks);
}

void HostSurvey::add(std::string_view packed) {
  const std::uint32_t report = reports_++;
  Unpacker unpacker(packed);
  const std::string name(unpacker.get_text());
  const std::string kernel(unpacker.get_text());
  const std::string digest(unpacker.get_text());
  const std::uint32_t host = host_of(name, kernel, digest);
  addresses_[host] = unpacker.get_text();
  patterns_[host] = unpacker.get_text();
  if (!digest.empty() && !hardware_of_digest_.contains(digest)) {
    whom_to_ask_.push_back(report);
    hardware_to_ask_.push_back(hardware_of(digest));
  }
  job_.hosts[host].hardware = hardware_of(digest);
  while (!unpacker.done()) {
    MemberReport member = unpack(unpacker);
    member.process.host = host;
    job_.processes.at(member.comm_rank) = std::move(member.process);
    present_[member.comm_rank] = true;
  }
}

std::uint32_t HostSurvey::host_of(const std::string& name, const std::string& kernel,
                                  const std::string& digest) {
  const auto next = static_cast<std::uint32_t>(job_.hosts.size());
  if (!kernel.empty()) {
    const auto [known, is_new] = host_of_key_.try_emplace({name, kernel, digest}, next);
    if (!is_new) return known->second;
  }
  job_.hosts.push_back({name});
  addresses_.emplace_back();
  patterns_.emplace_back();
  return next;
}

std::uint32_t HostSurvey::hardware_of(const std::string& digest) {
  const auto [known, is_new] =
      hardware_of_digest_.try_emplace(digest, static_cast<std::uint32_t>(job_.hardware.size()));
  if (is_new) job_.hardware.push_back({digest, {}});
  return known->second;
}

JobDescription HostSurvey::take() {
  for (const bool here : present_) {
    if (!here) throw std::runtime_error("not enough memory for what the ranks sent");
  }
  return std::move(job_);
}

}  // namespace kith::preload
