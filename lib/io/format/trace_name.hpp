// What the name of a trace may leave open: KITH_TRACE=run-%j-%p.
#pragma once

#include <string>
#include <string_view>

namespace kith {

/// Whether the name has a part that is filled in when the trace begins.
bool is_open_trace_name(std::string_view name);

/// Absolute path of the directory that KITH_TRACE=`name` means, ".kith" appended where missing: %j
/// is the number of the batch system's job ("local" outside any), %p the least number from 1 for
/// which there is neither a trace nor a partial one.
std::string trace_directory_of(const std::string& name);

/// The same as a pattern of fnmatch(3): what any job may make of it.
std::string trace_directory_pattern(const std::string& name);

}  // namespace kith
