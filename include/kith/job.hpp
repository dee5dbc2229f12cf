// Who sits where in a running or recorded job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kith/types.hpp"

namespace kith {

/// One process, in launcher order.
struct JobProcess {
  std::uint32_t rank = 0;       ///< the rank that the program saw
  std::uint32_t host = 0;       ///< index into JobDescription::hosts
  std::vector<std::uint32_t> cpus;  ///< operating-system indices it may run on, ascending; empty: unknown
};

/// One host of the job.
struct JobHost {
  std::string name;
  std::uint32_t hardware = 0;  ///< index into JobDescription::hardware
};

/// One distinct host kind.
struct JobHardware {
  std::string digest;  ///< of the XML
  std::string xml;     ///< hwloc XML; empty when the helper could not tell
  std::string origin = {};  ///< the file that the XML is from, for messages; empty where it is from none
};

/// What machine.json holds. processes[j] is launcher rank j.
struct JobDescription {
  std::vector<JobHost> hosts;
  std::vector<JobHardware> hardware;
  std::vector<JobProcess> processes;

  /// Digest of the host of each launcher rank, in launcher order: 16 hexadecimal digits. A mapping
  /// made for a job names it, so that it is not applied to another set of hosts.
  std::string hosts_digest() const;
};

}  // namespace kith
