#include "binding/thread_starts.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <string_view>

#include "mpi/slots.hpp"

namespace kith::preload {
namespace {

constinit std::atomic<const ThreadStarts*> watching{nullptr};

struct Start {
  void* (*function)(void*);
  void* argument;
  int number;
};

void* run(void* data) {
  auto* const start = static_cast<Start*>(data);
  const Start copy = *start;
  delete start;
  watching.load(std::memory_order_relaxed)->begin(copy.number);
  return copy.function(copy.argument);  // the last call: the thread's end passes no code of ours
}

int create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
           void* argument) {
  const ThreadStarts& starts = *watching.load(std::memory_order_acquire);
  const int number = starts.reserve();
  auto* const start = number < 0 ? nullptr : new (std::nothrow) Start{function, argument, number};
  if (start == nullptr) {
    if (number >= 0) starts.cancel(number);
    return pthread_create(thread, attributes, function, argument);
  }
  const int code = pthread_create(thread, attributes, run, start);
  if (code != 0) {
    delete start;
    starts.cancel(number);
  }
  return code;
}

/// What begins like one of these is the job's communication, whose threads should go where they
/// find room, or the C library.
constexpr std::array<std::string_view, 27> left_alone{
    "libmpi",   "liboshmem", "libopen-rte", "libopen-pal", "libprrte", "libpmix",    "libevent",
    "libhwloc", "libucp",    "libucs",      "libuct",      "libucm",   "libfabric",  "libpsm",
    "libibver", "librdmacm", "libmlx",      "mca_",        "libmpich", "libmpifort", "libpals",
    "libsci_",  "libcuda",   "libnccl",     "libslurm",    "libkith",  "libc.so"};

std::string_view name_of(const dl_phdr_info& library) {
  const std::string_view path = library.dlpi_name == nullptr ? "" : library.dlpi_name;
  return path.substr(path.rfind('/') + 1);
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int redirect(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view name = name_of(*library);
  const bool is_other = std::ranges::any_of(
      left_alone, [&](std::string_view beginning) { return name.starts_with(beginning); });
  if (is_other) return 0;
  mpi::redirect_slots(*library, [](const mpi::Slot& slot) -> void* {
    return std::strcmp(slot.symbol, "pthread_create") == 0 ? reinterpret_cast<void*>(&create)
                                                           : nullptr;
  });
  return 0;
}

}  // namespace

void watch_thread_starts(const ThreadStarts& starts) noexcept {
  watching.store(&starts, std::memory_order_release);
  dl_iterate_phdr(redirect, nullptr);
}

}  // namespace kith::preload
