#include "kith/job.hpp"

#include "core/digest.hpp"

namespace kith {

std::string JobDescription::hosts_digest() const {
  Digest digest;
  for (const JobProcess& process : processes) digest.add(hosts[process.host].name).add("\n");
  return digest.hex();
}

}  // namespace kith
