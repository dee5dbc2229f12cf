#include "binding/open_mp_team.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace kith::preload {
namespace {

template <class Function>
Function* found(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct Visit {
  void (*visit)(std::uint32_t number);
  int (*thread_number)();
};

void run(void* data) {
  const Visit& visit = *static_cast<const Visit*>(data);
  visit.visit(static_cast<std::uint32_t>(visit.thread_number()));
}

}  // namespace

std::uint32_t open_mp_threads() noexcept {
  auto* const most = found<int()>("omp_get_max_threads");
  if (most == nullptr) return 0;
  const int threads = most();
  return threads > 0 ? static_cast<std::uint32_t>(threads) : 0;
}

std::vector<std::uint32_t> open_mp_cpus() {
  auto* const places = found<int()>("omp_get_num_places");
  auto* const count = found<int(int)>("omp_get_place_num_procs");
  auto* const list = found<void(int, int*)>("omp_get_place_proc_ids");
  std::vector<std::uint32_t> cpus;
  if (places == nullptr || count == nullptr || list == nullptr) return cpus;
  for (int place = 0; place < places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(std::max(0, count(place))));
    if (!ids.empty()) list(place, ids.data());
    for (const int id : ids) cpus.push_back(static_cast<std::uint32_t>(id));
  }
  return cpus;
}

// GOMP_parallel is what GCC makes of `#pragma omp parallel`; libomp has it, too.
bool on_open_mp_team(void (*visit)(std::uint32_t number)) noexcept {
  auto* const parallel = found<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
  auto* const is_inside = found<int()>("omp_in_parallel");
  auto* const number = found<int()>("omp_get_thread_num");
  if (parallel == nullptr || is_inside == nullptr || number == nullptr || is_inside() != 0) {
    return false;
  }
  Visit data{visit, number};
  parallel(run, &data, 0, 0);
  return true;
}

}  // namespace kith::preload
