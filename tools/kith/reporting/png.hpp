// A picture as PNG.
#pragma once

#include <string>

#include "report/picture.hpp"

namespace kith::tools {

/// The same bytes for the same picture. Throws Error (environment) where libpng has no memory, and
/// where Kith was built without libpng.
std::string png_bytes(const Picture& picture);

}  // namespace kith::tools
