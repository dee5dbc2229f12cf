// The text of a SPEC.
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string spec(reinterpret_cast<const char*>(data), size);
  // Files of this machine are no business of a fuzzer; they have programs of their own.
  if (spec.find('/') == 0 || spec.find(":/") != std::string::npos ||
      spec.find("=/") != std::string::npos || spec.find("..") != std::string::npos) {
    return 0;
  }
  kith::fuzz::may_refuse([&] { kith::fuzz::check_machine(*kith::parse_machine(spec)); });
  return 0;
}
