#include "reporting/png.hpp"

#include "kith/error.hpp"

#ifdef KITH_WITH_PNG

#include <png.h>

#include <cstdint>
#include <vector>

namespace kith::tools {

std::string png_bytes(const Picture& picture) {
  const Raster raster = rasterized(picture);
  std::vector<std::uint8_t> colours;
  for (const Rgb& colour : picture.palette) {
    colours.insert(colours.end(), {colour.red, colour.green, colour.blue});
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = raster.width;
  image.height = raster.height;
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(picture.palette.size());
  // Asked for the size first: it is then exact.
  std::string bytes;
  png_alloc_size_t size = 0;
  const auto write = [&](void* memory) {
    return png_image_write_to_memory(&image, memory, &size, 0, raster.pixels.data(), 0,
                                     colours.data()) != 0;
  };
  const bool is_sized = write(nullptr);
  bytes.resize(size);
  if (!is_sized || !write(bytes.data())) {
    throw environment_error(std::string("cannot make a PNG image: ") + image.message);
  }
  return bytes;
}

}  // namespace kith::tools

#else

namespace kith::tools {

std::string png_bytes(const Picture&) {
  throw environment_error("--png: this Kith was built without libpng; --svg needs no library");
}

}  // namespace kith::tools

#endif
