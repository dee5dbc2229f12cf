#include "interpose/step_aside.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "interpose/fortran/slots.hpp"
#include "mpi/late_binding.hpp"

namespace kith::interpose {
namespace {

/// A function that we define, ours and the definition behind it.
struct Passed {
  const char* name;
  void* ours;
  void* behind;
};

Passed passed[] = {
#define KITH_INTERCEPTED(name) {#name, nullptr, nullptr},
#include "interpose/intercepted.inc"
#undef KITH_INTERCEPTED
};

bool still_comes_by(const char* name) {
  return std::strcmp(name, "MPI_Init") == 0 || std::strcmp(name, "MPI_Init_thread") == 0;
}

void look_up_definitions() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&step_aside_if_foreign), &own) == 0) return;
  void* const handle = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  for (Passed& function : passed) {
    if (still_comes_by(function.name)) continue;
    function.ours = dlsym(handle, function.name);
    function.behind = dlsym(RTLD_NEXT, function.name);
    if (function.behind == nullptr) function.behind = mpi::find_symbol(function.name);
  }
  dlclose(handle);
  std::sort(std::begin(passed), std::end(passed),
            [](const Passed& a, const Passed& b) { return std::strcmp(a.name, b.name) < 0; });
}

// Null for what is not ours, still comes by, or is defined nowhere else.
void* definition_behind(const char* symbol) {
  if (std::strncmp(symbol, "MPI", 3) != 0) return nullptr;
  const Passed* const found = std::lower_bound(std::begin(passed), std::end(passed), symbol,
                                               [](const Passed& function, const char* name) {
                                                 return std::strcmp(function.name, name) < 0;
                                               });
  const bool is_known = found != std::end(passed) && std::strcmp(found->name, symbol) == 0;
  return is_known ? found->behind : nullptr;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int pass_by(dl_phdr_info* library, std::size_t, void*) {
  redirect_slots(*library, definition_behind);
  return 0;
}

// To the dynamic linker a symbol without a value is no definition: its look-ups go on to the next.
void hide(const Passed& function) {
  Dl_info its{};
  ElfW(Sym)* symbol = nullptr;
  if (function.behind == nullptr ||
      dladdr1(function.ours, &its, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) == 0 ||
      symbol == nullptr || std::strcmp(its.dli_sname, function.name) != 0) {
    return;
  }
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(symbol) & ~(page - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(symbol + 1);
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) != 0) return;
  symbol->st_value = 0;
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ);
}

}  // namespace

void step_aside_if_foreign() noexcept {
  static constinit std::mutex once;
  static constinit bool done = false;
  if (!mpi::notice_foreign_library()) return;
  const std::lock_guard lock(once);
  if (done) return;
  done = true;
  look_up_definitions();
  std::for_each(std::begin(passed), std::end(passed), hide);
  dl_iterate_phdr(pass_by, nullptr);
}

}  // namespace kith::interpose
