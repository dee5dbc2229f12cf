#include "job/own_threads.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "mpi/slots.hpp"

namespace kith::preload {
namespace {

/// What the program itself calls; what its libraries do is theirs.
struct OpenMpCalls {
  bool has_regions = false;
  bool sets_number = false;
};

int find_calls(dl_phdr_info* program, std::size_t, void* result) {
  OpenMpCalls& calls = *static_cast<OpenMpCalls*>(result);
  mpi::SlotTable(*program).for_each([&](mpi::Slot slot) {
    const std::string_view name = slot.symbol;
    // Of GCC, and of clang and Intel's compilers.
    calls.has_regions = calls.has_regions || name.starts_with("GOMP_parallel") ||
                        name.starts_with("__kmpc_fork_call");
    calls.sets_number = calls.sets_number || name.starts_with("omp_set_num_threads") ||
                        name.starts_with("__kmpc_push_num_threads");
  });
  return 1;  // the first object is the program: no others are wanted
}

/// The first number of a variable's list, that of the outermost team; 0: none that is meant.
std::uint32_t first_number_of(const char* variable) {
  constexpr long most = 1 << 20;
  const char* const value = std::getenv(variable);
  const long number = value == nullptr ? 0 : std::strtol(value, nullptr, 10);
  return number > 0 && number <= most ? static_cast<std::uint32_t>(number) : 0;
}

}  // namespace

std::uint32_t threads_of_this_process(const CpuSet& cpus) {
  if (dlsym(RTLD_DEFAULT, "omp_get_max_threads") == nullptr) return 0;
  if (const char* const said = std::getenv("OMP_NUM_THREADS"); said != nullptr && *said != '\0') {
    return first_number_of("OMP_NUM_THREADS");
  }
  OpenMpCalls calls;
  dl_iterate_phdr(find_calls, &calls);
  if (!calls.has_regions || calls.sets_number) return 0;
  const auto each = static_cast<std::uint32_t>(cpus.size());
  const std::uint32_t limit = first_number_of("OMP_THREAD_LIMIT");
  return limit > 0 ? std::min(each, limit) : each;
}

}  // namespace kith::preload
