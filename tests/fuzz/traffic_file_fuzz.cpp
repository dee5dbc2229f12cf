// A matrix of traffic, the format told by the name's ending.
#include "fuzz.hpp"
#include "kith/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A format of one file per rank is read through the common part of their names.
  const std::string ending = KITH_ENDING;
  const auto path =
      kith::fuzz::file_of(data, size, ending == ".prof" ? "input.0.prof" : "input" + ending);
  kith::fuzz::may_refuse([&] {
    const auto trace = kith::read_trace(ending == ".prof" ? kith::fuzz::folder() / "input" : path);
    kith::fuzz::require(trace.bytes.ranks() > 0, "a trace has ranks");
    for (kith::Rank r(0); r.value < trace.bytes.ranks(); ++r) {
      for (const kith::Rank to : trace.bytes.destinations(r)) {
        kith::fuzz::require(to.value < trace.bytes.ranks(), "destinations are ranks");
      }
    }
  });
  return 0;
}
