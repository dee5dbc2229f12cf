// Checks that the readers of a trace's JSON files share.
#pragma once

#include <filesystem>

#include "io/format/trace_text.hpp"
#include "io/json_file.hpp"

namespace kith {

/// A later format is an error; one that is not given is the present one.
inline void check_trace_format(const JsonNode& root) {
  const auto format = root.find("format");
  if (format && format->number() != trace_format_version) {
    throw format->error(std::to_string(trace_format_version) +
                        ", the format that this version of kith reads");
  }
}

/// True for a relative name that stays inside the directory.
inline bool is_inside(const std::filesystem::path& file) {
  if (file.empty() || file.is_absolute()) return false;
  for (const auto& part : file) {
    if (part == "..") return false;
  }
  return true;
}

/// Traces come from strangers: a file name in one must not lead out of it.
inline void check_inside_trace(const JsonNode& file) {
  if (!is_inside(file.text())) throw file.error("the name of a file inside the trace");
}

}  // namespace kith
