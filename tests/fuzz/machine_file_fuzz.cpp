// A file that a SPEC names: KITH_SPEC FILE, or KITH_SPEC ;KITH_SUFFIX= FILE.
#include "fuzz.hpp"

#ifdef KITH_SUFFIX
constexpr char before[] = KITH_SPEC ";" KITH_SUFFIX "=";
#else
constexpr char before[] = KITH_SPEC;
#endif
#ifndef KITH_NAME
#define KITH_NAME "input"
#endif

#ifdef KITH_HWLOC
#include <hwloc.h>
/// As long as one topology lives, hwloc does not look for its plug-ins again, which takes long.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static hwloc_topology_t keeper = nullptr;
  hwloc_topology_init(&keeper);
  return 0;
}
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = kith::fuzz::file_of(data, size, KITH_NAME);
  kith::fuzz::may_refuse(
      [&] { kith::fuzz::check_machine(*kith::parse_machine(before + path.string())); });
  return 0;
}
