#include "launch/own_cpus.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>

namespace kith::tools {
namespace {

// As the kernel writes it; room for 65536 CPUs.
std::array<unsigned long, 65536 / (8 * sizeof(unsigned long))> mask;
long mask_bytes = 0;

void remember_cpus(int, char**, char**) {
  mask_bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask.data());
}

// Runs before the constructors of all libraries.
__attribute__((section(".preinit_array"), used)) void (*const at_first)(int, char**,
                                                                        char**) = remember_cpus;

}  // namespace

void give_back_own_cpus() noexcept {
  if (mask_bytes > 0) {
    syscall(SYS_sched_setaffinity, 0, static_cast<std::size_t>(mask_bytes), mask.data());
  }
}

}  // namespace kith::tools
