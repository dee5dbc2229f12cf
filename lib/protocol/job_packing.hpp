// A job's description as bytes, for the engine process.
#pragma once

#include <string>
#include <string_view>

#include "kith/job.hpp"
#include "protocol/packer.hpp"

namespace kith {

std::string pack_job(const JobDescription& job);
/// Throws std::runtime_error when the bytes end early.
JobDescription unpack_job(std::string_view bytes);

/// Part of the above: some bytes a range.
void pack_cpus(Packer& packer, const CpuSet& cpus);
CpuSet unpack_cpus(Unpacker& unpacker);

}  // namespace kith
