// Pixels as a PNG file.
#pragma once

#include <string>

#include "report/picture.hpp"

namespace kith::tools {

/// The picture as PNG: the same bytes for the same picture. Throws Error (environment) where libpng
/// has no memory.
std::string png_bytes(const Picture& picture);

}  // namespace kith::tools
