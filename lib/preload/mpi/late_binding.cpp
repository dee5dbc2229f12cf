#include "mpi/late_binding.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "mpi/late_mpi.h"
#include "mpi/library.hpp"
#include "mpi/succession.hpp"

namespace kith::mpi {

// The pointers that late_mpi.h's macros go through.
#define KITH_FUNCTION(name) decltype(late_##name) late_##name = nullptr;
#define KITH_OBJECT(name) decltype(late_##name) late_##name = nullptr;
#include "mpi/mpi_symbols.inc"
#undef KITH_FUNCTION
#undef KITH_OBJECT

constinit std::atomic<bool> other_library{false};

#ifdef KITH_STANDARD_INTERFACE
constinit const Family family_built_for = Family::standard;
#elif defined(OPEN_MPI)
constinit const Family family_built_for = Family::open_mpi;
#else
constinit const Family family_built_for = Family::mpich;
#endif

namespace {

constinit std::atomic<bool> call_came_by{false};

// Any loaded object through whose dependencies PMPI_Init can be reached will do.
void* private_scope() {
  for (const std::string& path : loaded_paths()) {
    void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (dlsym(handle, "PMPI_Init") != nullptr) return handle;
    dlclose(handle);
  }
  return nullptr;
}

// Where PMPI can be looked up: the global scope, or the handle of a privately loaded library.
void* mpi_scope() {
  static std::atomic<void*> found{nullptr};
  static std::atomic<bool> global{false};
  if (global.load(std::memory_order_acquire)) return RTLD_DEFAULT;
  if (void* const handle = found.load(std::memory_order_acquire)) return handle;
  if (dlsym(RTLD_DEFAULT, "PMPI_Init") != nullptr) {
    global.store(true, std::memory_order_release);
    return RTLD_DEFAULT;
  }
  void* const handle = private_scope();
  found.store(handle, std::memory_order_release);
  return handle;  // null, which is RTLD_DEFAULT, when there is no MPI: look-ups then fail
}

// Whether the program's MPI library has the handles of the one whose mpi.h we were built with.
bool is_of_our_kind() {
  return family_by_handles() == family_built_for;
}

}  // namespace

bool notice_other_library() {
  void* const scope = mpi_scope();
  const bool is_other = dlsym(scope, "PMPI_Init") != nullptr && !is_of_our_kind();
  if (is_other) other_library.store(true, std::memory_order_relaxed);
  return is_other;
}

namespace {

/// The address of each symbol of the MPI library.
struct Symbols {
#define KITH_FUNCTION(name) void* at_##name;
#define KITH_OBJECT(name) void* at_##name;
#include "mpi/mpi_symbols.inc"
#undef KITH_FUNCTION
#undef KITH_OBJECT
};

Symbols look_up(void* scope) {
  Symbols found;
#define KITH_FUNCTION(name) found.at_##name = dlsym(scope, #name);
#define KITH_OBJECT(name) found.at_##name = dlsym(scope, #name);
#include "mpi/mpi_symbols.inc"
#undef KITH_FUNCTION
#undef KITH_OBJECT
  return found;
}

void publish(const Symbols& found) {
#define KITH_FUNCTION(name) late_##name = reinterpret_cast<decltype(late_##name)>(found.at_##name);
#define KITH_OBJECT(name) late_##name = static_cast<decltype(late_##name)>(found.at_##name);
#include "mpi/mpi_symbols.inc"
#undef KITH_FUNCTION
#undef KITH_OBJECT
}

}  // namespace

bool bind() {
  static constinit std::atomic<bool> is_bound{false};
  static constinit std::mutex publishing;
  if (is_bound.load(std::memory_order_acquire)) return true;
  void* const scope = mpi_scope();
  if (dlsym(scope, "PMPI_Init") == nullptr || notice_other_library()) return false;
  // Not under the lock: a thread that opens a library may wait for it while dlsym waits for that.
  const Symbols found = look_up(scope);
  const std::scoped_lock lock(publishing);
  if (is_bound.load(std::memory_order_relaxed)) return true;  // other threads read them by now
  publish(found);
  is_bound.store(true, std::memory_order_release);
  return true;
}

void* next_definition(const char* name) {
  call_came_by.store(true, std::memory_order_relaxed);
  bind();  // what a wrapper does after the call needs PMPI, even where MPI_Init went past us
  // Nothing is next to a library that the program opened itself.
  void* const heir = successor.load(std::memory_order_acquire);
  for (void* const found : {heir == nullptr ? nullptr : dlsym(heir, name), next_in_scope(name),
                            dlsym(mpi_scope(), name)}) {
    if (found != nullptr && !is_of_this_library(found)) return found;
  }
  // The MPI library's table of symbols may point to us by now (follow_private_calls()).
  const std::string profiling = std::string("P") + name;
  if (void* const own = dlsym(mpi_scope(), profiling.c_str())) return own;
  std::fprintf(stderr,
               "kith: the program calls %s, which no MPI library here defines; if it was linked "
               "with -lkith, link "
               "the MPI library as well: -Wl,--no-as-needed before it (kith.pc, kith::kith do)\n",
               name);
  std::abort();
}

bool some_call_came_by() {
  return call_came_by.load(std::memory_order_relaxed);
}

void* find_symbol(const char* name) {
  return dlsym(mpi_scope(), name);
}

}  // namespace kith::mpi
