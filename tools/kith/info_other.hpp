// What kith info tells of files that hold no traffic of ranks.
#pragma once

#include <filesystem>
#include <string>

namespace kith::tools {

/// Whether a file is a mapping by its ending .map or its header. A matrix in plain text may look
/// like one without.
bool is_named_mapping(const std::filesystem::path& path);

/// What a mapping says, as text or JSON. Throws Error (input) where it is damaged.
std::string mapping_facts(const std::filesystem::path& path, bool as_json);

/// What a matrix of threads counts, as its first comment says; empty for all other files.
std::string thread_matrix_comment(const std::filesystem::path& path);

}  // namespace kith::tools
