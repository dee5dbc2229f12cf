// kith_bind()
#include <exception>
#include <string>
#include <string_view>

#include "binding/thread_binding.hpp"
#include "core/log.hpp"
#include "mpi/late_mpi.h"

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

using namespace kith::preload;

extern "C" __attribute__((visibility("default"))) int kith_bind(const char* policy,
                                                                int granularity) {
  if (granularity != KITH_BIND_FINE && granularity != KITH_BIND_CORE) return MPI_ERR_ARG;
  try {
    BindingPolicy binding;
    if (policy != nullptr) binding.policy = policy;
    binding.whole_cores = granularity == KITH_BIND_CORE;
    bool is_bad_request = false;
    std::string problem = bind_threads(binding, is_bad_request);
    if (problem.empty()) return MPI_SUCCESS;
    // The engine names the setting; what is wrong here is the argument.
    constexpr std::string_view setting = "KITH_BIND: ";
    if (problem.starts_with(setting)) problem.replace(0, setting.size(), "kith_bind: ");
    kith::log_line("threads are not bound: " + problem);
    return is_bad_request ? MPI_ERR_ARG : MPI_SUCCESS;
  } catch (const std::exception& error) {
    kith::log_line(std::string("threads are not bound: ") + error.what());
    return MPI_SUCCESS;
  }
}
