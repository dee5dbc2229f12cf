// What the ranks of a job say of themselves, made into its description. Without MPI.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith::preload {

/// What one rank tells the leader of its host.
struct MemberReport {
  std::uint32_t comm_rank = 0;
  JobProcess process;  ///< its host is not known yet
};
std::string pack(const MemberReport& member);
MemberReport unpack_member(std::string_view bytes);

/// What a leader tells the root of the ranks with which it shares memory.
struct HostReport {
  std::string name;
  std::string kernel;  ///< identity of the running kernel; empty: unknown
  std::string digest;  ///< of its hardware; empty: unknown
  std::string slurm_address;
  std::string slurm_pattern;
  std::vector<std::string> members;  ///< packed, the leader's own first
};
std::string pack(const HostReport& host);

/// Collects reports. Ranks that share memory are on one host, whatever its name; ranks that do not
/// are on one host only where name, kernel and hardware agree (two containers of one name on one
/// machine; equal names on two machines have two kernels).
class HostSurvey {
 public:
  explicit HostSurvey(std::size_t ranks);

  /// The next leader's report. Throws std::exception for bytes that are not a report, or without
  /// memory.
  void add(std::string_view packed);

  /// Of each hardware that has a digest, the place of the first report with it: who is to be asked
  /// for the XML. In the order of the answer's hardware.
  const std::vector<std::uint32_t>& whom_to_ask() const { return whom_to_ask_; }
  /// The XML of the k-th of them.
  void set_xml(std::size_t k, std::string xml) {
    job_.hardware[hardware_to_ask_[k]].xml = std::move(xml);
  }

  /// Addresses of the hosts as Slurm gave them, by host.
  const std::vector<std::string>& slurm_addresses() const { return addresses_; }
  const std::vector<std::string>& slurm_patterns() const { return patterns_; }

  /// Throws std::runtime_error unless each rank was in a report. Leaves this empty.
  JobDescription take();

 private:
  std::uint32_t host_of(const std::string& name, const std::string& kernel,
                        const std::string& digest);
  std::uint32_t hardware_of(const std::string& digest);

  JobDescription job_;
  std::vector<bool> present_;
  std::uint32_t reports_ = 0;
  std::map<std::vector<std::string>, std::uint32_t> host_of_key_;
  std::map<std::string, std::uint32_t> hardware_of_digest_;
  std::vector<std::uint32_t> whom_to_ask_;
  std::vector<std::uint32_t> hardware_to_ask_;
  std::vector<std::string> addresses_;
  std::vector<std::string> patterns_;
};

}  // namespace kith::preload
