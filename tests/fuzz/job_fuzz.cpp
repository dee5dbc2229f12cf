// machine.json of a trace, and the machine that it describes.
#include "fuzz.hpp"
#include "io/trace_files.hpp"
#include "kith/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kith::fuzz::file_of(data, size, "machine.json");
  kith::fuzz::may_refuse([&] {
    const kith::JobDescription job = kith::read_job(kith::fuzz::folder());
    kith::fuzz::check_machine(*kith::parse_machine("job", &job));
  });
  return 0;
}
