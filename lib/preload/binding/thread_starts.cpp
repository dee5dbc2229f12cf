#include "binding/thread_starts.hpp"

#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "core/thread_creators.hpp"
#include "mpi/slots.hpp"

namespace kith::preload {
namespace {

constinit std::atomic<const ThreadStarts*> watching{nullptr};

const ThreadStarts& starts() {
  return *watching.load(std::memory_order_acquire);
}

using Function = void* (*)(void*);

struct Start {
  Function function;
  void* argument;
  int number;  // negative: not one of the program's
};

void* run(void* data) {
  auto* const start = static_cast<Start*>(data);
  const Start copy = *start;
  delete start;
  if (copy.number < 0) {
    starts().free_this();
  } else {
    starts().begin(copy.number);
  }
  return copy.function(copy.argument);  // the last call: the thread's end passes no code of ours
}

int create_numbered(pthread_t* thread, const pthread_attr_t* attributes, Function function,
                    void* argument, int number) {
  auto* const start = new (std::nothrow) Start{function, argument, number};
  if (start == nullptr) {
    if (number >= 0) starts().cancel(number);
    return pthread_create(thread, attributes, function, argument);
  }
  const int code = pthread_create(thread, attributes, run, start);
  if (code != 0) {
    delete start;
    if (number >= 0) starts().cancel(number);
  }
  return code;
}

int create_for_open_mp(pthread_t* thread, const pthread_attr_t* attributes, Function function,
                       void* argument) {
  const int number = starts().reserve();
  if (number < 0) return pthread_create(thread, attributes, function, argument);
  return create_numbered(thread, attributes, function, argument, number);
}

/// Whether the program itself says where the thread may run.
bool has_cpus(const pthread_attr_t* attributes) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  return attributes != nullptr &&
         pthread_attr_getaffinity_np(attributes, sizeof cpus, &cpus) == 0 &&
         CPU_COUNT(&cpus) < CPU_SETSIZE;  // without any, all bits are set
}

int create(pthread_t* thread, const pthread_attr_t* attributes, Function function, void* argument) {
  if (has_cpus(attributes)) return pthread_create(thread, attributes, function, argument);
  return create_for_open_mp(thread, attributes, function, argument);
}

int create_for_communication(pthread_t* thread, const pthread_attr_t* attributes, Function function,
                             void* argument) {
  if (has_cpus(attributes)) return pthread_create(thread, attributes, function, argument);
  return create_numbered(thread, attributes, function, argument, -1);
}

// Programs that are started inherit the CPUs of the thread that starts them.

/// Lets the calling thread run everywhere while it lives.
class Freed {
 public:
  Freed() { starts().free_this(); }
  ~Freed() { starts().bind_again(); }
  Freed(const Freed&) = delete;
  Freed& operator=(const Freed&) = delete;
};

int start_system(const char* command) {
  const Freed freed;
  return std::system(command);
}

std::FILE* start_popen(const char* command, const char* mode) {
  const Freed freed;
  return popen(command, mode);
}

int start_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments,
                char* const* environment) {
  const Freed freed;
  return posix_spawn(pid, path, actions, attributes, arguments, environment);
}

int start_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments,
                 char* const* environment) {
  const Freed freed;
  return posix_spawnp(pid, file, actions, attributes, arguments, environment);
}

int start_execv(const char* path, char* const* arguments) {
  const Freed freed;
  return execv(path, arguments);
}

int start_execvp(const char* file, char* const* arguments) {
  const Freed freed;
  return execvp(file, arguments);
}

int start_execve(const char* path, char* const* arguments, char* const* environment) {
  const Freed freed;
  return execve(path, arguments, environment);
}

int start_execvpe(const char* file, char* const* arguments, char* const* environment) {
  const Freed freed;
  return execvpe(file, arguments, environment);
}

struct Redirected {
  std::string_view symbol;
  void* ours;
};

void* start_of(std::string_view symbol) {
  static const Redirected all[] = {
      {"system", reinterpret_cast<void*>(&start_system)},
      {"popen", reinterpret_cast<void*>(&start_popen)},
      {"posix_spawn", reinterpret_cast<void*>(&start_spawn)},
      {"posix_spawnp", reinterpret_cast<void*>(&start_spawnp)},
      {"execv", reinterpret_cast<void*>(&start_execv)},
      {"execvp", reinterpret_cast<void*>(&start_execvp)},
      {"execve", reinterpret_cast<void*>(&start_execve)},
      {"execvpe", reinterpret_cast<void*>(&start_execvpe)},
  };
  for (const Redirected& one : all) {
    if (one.symbol == symbol) return one.ours;
  }
  return nullptr;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int redirect(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view path = library->dlpi_name == nullptr ? "" : library->dlpi_name;
  const std::string_view name = file_name_of(path);
  if (name.starts_with("libkith") || name.starts_with("libc.so") || name.starts_with("ld-"))
    return 0;
  void* const creates = is_of_communication(path)
                            ? reinterpret_cast<void*>(&create_for_communication)
                        : is_open_mp(path) ? reinterpret_cast<void*>(&create_for_open_mp)
                                           : reinterpret_cast<void*>(&create);
  mpi::redirect_slots(*library, [creates](const mpi::Slot& slot) -> void* {
    return std::strcmp(slot.symbol, "pthread_create") == 0 ? creates : start_of(slot.symbol);
  });
  return 0;
}

}  // namespace

void watch_thread_starts(const ThreadStarts& starts) noexcept {
  watching.store(&starts, std::memory_order_release);
  start_of("");  // the table is made before the list of libraries is locked
  dl_iterate_phdr(redirect, nullptr);
}

}  // namespace kith::preload
