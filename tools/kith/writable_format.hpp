// The format of a file to be written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kith/io.hpp"

namespace kith::tools {

/// By `name`, the value of `option`; without it by the ending of `path`. Throws Error (input) where
/// neither tells or the format can only be read.
MatrixFormat writable_format(const std::string& path, const std::optional<std::string>& name,
                             std::string_view option);

}  // namespace kith::tools
