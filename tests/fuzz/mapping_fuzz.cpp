// A mapping file.
#include "fuzz.hpp"
#include "kith/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = kith::fuzz::file_of(data, size, "input.map");
  kith::fuzz::may_refuse([&] { kith::read_mapping(path); });
  return 0;
}
