#include "mpi/late_binding.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "mpi/late_mpi.h"

namespace kith::mpi {

// The pointers that late_mpi.h's macros go through.
#define KITH_FUNCTION(name) decltype(late_##name) late_##name = nullptr;
#define KITH_OBJECT(name) decltype(late_##name) late_##name = nullptr;
#include "mpi/mpi_symbols.inc"
#undef KITH_FUNCTION
#undef KITH_OBJECT

constinit std::atomic<bool> foreign_library{false};

namespace {

struct Search {
  void* handle = nullptr;
};

// Any loaded object through whose dependencies PMPI_Init can be reached will do.
int try_object(dl_phdr_info* info, std::size_t, void* data) {
  if (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0') return 0;
  void* const handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  if (dlsym(handle, "PMPI_Init") != nullptr) {
    static_cast<Search*>(data)->handle = handle;
    return 1;
  }
  dlclose(handle);
  return 0;
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
  Search search;
  dl_iterate_phdr(try_object, &search);
  found.store(search.handle, std::memory_order_release);
  return search.handle;  // null, which is RTLD_DEFAULT, when there is no MPI: look-ups then fail
}

// Whether the program's MPI library has the handles of the one whose mpi.h we were built with.
bool is_of_our_kind(void* scope) {
  const bool is_open_mpi = dlsym(scope, "ompi_mpi_comm_world") != nullptr;
#ifdef OPEN_MPI
  return is_open_mpi;
#else
  return !is_open_mpi;
#endif
}

}  // namespace

bool notice_foreign_library() {
  void* const scope = mpi_scope();
  const bool is_foreign = dlsym(scope, "PMPI_Init") != nullptr && !is_of_our_kind(scope);
  if (is_foreign) foreign_library.store(true, std::memory_order_relaxed);
  return is_foreign;
}

namespace {

bool bind_all() {
  void* const scope = mpi_scope();
  if (dlsym(scope, "PMPI_Init") == nullptr) return false;
  if (notice_foreign_library()) return false;
#define KITH_FUNCTION(name) \
  late_##name = reinterpret_cast<decltype(late_##name)>(dlsym(scope, #name));
#define KITH_OBJECT(name) late_##name = static_cast<decltype(late_##name)>(dlsym(scope, #name));
#include "mpi/mpi_symbols.inc"
#undef KITH_FUNCTION
#undef KITH_OBJECT
  return true;
}

}  // namespace

bool bind() {
  static std::atomic<int> state{0};  // 0 not yet, 1 done; a race binds twice to the same values
  if (state.load(std::memory_order_acquire) == 1) return true;
  if (!bind_all()) return false;
  state.store(1, std::memory_order_release);
  return true;
}

void* next_definition(const char* name) {
  bind();  // what a wrapper does after the call needs PMPI, even where MPI_Init went past us
  if (void* const next = dlsym(RTLD_NEXT, name)) return next;
  if (void* const scope = mpi_scope()) {
    if (void* const own = dlsym(scope, name)) return own;
  }
  std::fprintf(stderr, "kith: the program calls %s, which its MPI library does not define\n", name);
  std::abort();
}

void* find_symbol(const char* name) {
  return dlsym(mpi_scope(), name);
}

}  // namespace kith::mpi
