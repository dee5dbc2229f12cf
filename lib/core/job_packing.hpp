// A job's description as bytes, for the engine process.
#pragma once

#include <string>
#include <string_view>

#include "kith/job.hpp"

namespace kith {

std::string pack_job(const JobDescription& job);
/// Throws std::runtime_error when the bytes end early.
JobDescription unpack_job(std::string_view bytes);

}  // namespace kith
