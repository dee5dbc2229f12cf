// What kith info tells of a mapping.
#pragma once

#include <filesystem>
#include <string>

namespace kith::tools {

/// What a mapping says, as text or JSON. Throws Error (input) where it is damaged.
std::string mapping_facts(const std::filesystem::path& path, bool as_json);

}  // namespace kith::tools
