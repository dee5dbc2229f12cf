#include "interpose/bypass_report.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <mutex>
#include <string_view>

#include "mpi/late_binding.hpp"
#include "mpi/slots.hpp"

namespace kith::interpose {
namespace {

/// What is known of one of them.
struct Passed {
  void* behind = nullptr;        ///< the definition behind ours
  ElfW(Sym) * symbol = nullptr;  ///< by which the dynamic linker finds ours
};
using Definitions = std::array<Passed, intercepted_count>;

constinit Definitions passed{};

bool still_comes_by(std::string_view name) {
  return name == "MPI_Init" || name == "MPI_Init_thread";
}

ElfW(Sym) * symbol_of(void* function, std::string_view name) {
  Dl_info its{};
  ElfW(Sym)* symbol = nullptr;
  const bool is_found =
      function != nullptr &&
      dladdr1(function, &its, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) != 0 &&
      symbol != nullptr && its.dli_sname != nullptr && its.dli_sname == name;
  return is_found ? symbol : nullptr;
}

Definitions look_up_definitions() {
  Definitions found{};
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&step_aside_for_other_mpi), &own) == 0) return found;
  void* const handle = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return found;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const char* const name = intercepted[i].data();
    if (still_comes_by(name)) continue;
    found[i].behind = dlsym(RTLD_NEXT, name);
    if (found[i].behind == nullptr) found[i].behind = mpi::find_symbol(name);
    if (found[i].behind != nullptr) found[i].symbol = symbol_of(dlsym(handle, name), name);
  }
  dlclose(handle);
  return found;
}

// Null for what is not ours, still comes by, or is defined nowhere else.
void* definition_behind(const mpi::Slot& slot) {
  const std::size_t number = intercepted_number(slot.symbol);
  return number < passed.size() ? passed[number].behind : nullptr;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int pass_by(dl_phdr_info* library, std::size_t, void*) {
  mpi::redirect_slots(*library, definition_behind);
  return 0;
}

// To the dynamic linker a symbol without a value is no definition: its look-ups go on to the next.
void hide(const Passed& function) {
  if (function.symbol == nullptr) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(function.symbol) & ~(page - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(function.symbol + 1);
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) != 0) return;
  function.symbol->st_value = 0;
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ);
}

}  // namespace

void step_aside_for_other_mpi() noexcept {
  static constinit std::atomic<bool> done{false};
  static constinit std::mutex once;
  if (done.load(std::memory_order_acquire) || !mpi::notice_other_library()) return;
  // Not under the lock: a thread that opens a library may wait for it while dlsym waits for that.
  const Definitions found = look_up_definitions();
  const std::scoped_lock lock(once);
  if (done.load(std::memory_order_relaxed)) return;
  passed = found;
  std::for_each(passed.begin(), passed.end(), hide);
  dl_iterate_phdr(pass_by, nullptr);
  done.store(true, std::memory_order_release);
}

}  // namespace kith::interpose
