// Where this process runs, from libc alone.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kith {

/// As gethostname() tells it; "unknown" where it does not.
inline std::string this_host() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

/// CPUs that this process may run on (operating-system indices, ascending); empty when the kernel
/// does not say.
inline std::vector<std::uint32_t> allowed_cpus() {
  for (int most = 1024; most <= 1024 * 1024; most *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (set == nullptr) return {};
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    CPU_ZERO_S(size, set);
    const bool known = sched_getaffinity(0, size, set) == 0;
    std::vector<std::uint32_t> cpus;
    for (int cpu = 0; known && cpu < most; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, set)) {
        cpus.push_back(static_cast<std::uint32_t>(cpu));
      }
    }
    CPU_FREE(set);
    if (known) return cpus;  // otherwise the set was too small for this kernel
  }
  return {};
}

}  // namespace kith
