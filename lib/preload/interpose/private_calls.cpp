#include "interpose/bypass_report.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "comm/catching.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/slots.hpp"
#include "mpi/succession.hpp"

namespace kith::interpose {
namespace {

/// A function that we define, and the MPI library's own: PMPI_X, and MPI_X where that is another
/// one (Open MPI 5 has two of each MPIX_Comm_X for failed processes).
struct Wrapped {
  const char* name;
  void* ours;
  void* theirs;
  void* their_alias;

  bool is_theirs(const void* address) const { return address == theirs || address == their_alias; }
};

bool of_one_library(const void* a, const void* b) {
  Dl_info of_a{}, of_b{};
  return dladdr(a, &of_a) != 0 && dladdr(b, &of_b) != 0 && of_a.dli_fbase == of_b.dli_fbase;
}

void* own_definition(const char* name) {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&follow_private_calls), &own) == 0) return nullptr;
  void* const handle = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  void* const found = dlsym(handle, name);
  dlclose(handle);
  return found;
}

/// By name. Empty where another tool has a part in any of them.
std::vector<Wrapped> wrapped_functions() {
  std::vector<Wrapped> functions;
  for (const std::string_view listed : intercepted) {
    const char* const name = listed.data();
    const std::string profiling = std::string("P") + name;
    void* const theirs = mpi::find_symbol(profiling.c_str());
    void* const next = mpi::next_in_scope(name);
    void* ours = dlsym(RTLD_DEFAULT, name);
    // The libkith.so in front of us lacks what only MPI libraries of our kind have.
    if (mpi::front() != nullptr && ours != nullptr && ours == next) ours = own_definition(name);
    if (ours == nullptr || !is_in_this_library(ours) || theirs == nullptr) return {};
    const bool is_alias = next != nullptr && next != ours;
    if (is_alias && next != theirs && !of_one_library(next, theirs)) return {};
    functions.push_back({name, ours, theirs, is_alias ? next : theirs});
  }
  std::ranges::sort(functions, [](const Wrapped& a, const Wrapped& b) {
    return std::strcmp(a.name, b.name) < 0;
  });
  return functions;
}

const Wrapped* find_function(const std::vector<Wrapped>& functions, const char* symbol) {
  if (std::strncmp(symbol, "MPI", 3) != 0) return nullptr;
  const auto found = std::ranges::lower_bound(
      functions, symbol, [](const char* a, const char* b) { return std::strcmp(a, b) < 0; },
      &Wrapped::name);
  const bool is_known = found != functions.end() && std::strcmp(found->name, symbol) == 0;
  return is_known ? &*found : nullptr;
}

struct Search {
  const std::vector<Wrapped>& functions;
  const MpiParts& parts;
  std::string caller;    // of the first private call that was found
  std::string function;  // that it calls
};

// No call of dlopen or dlsym in these: the list of libraries is locked.

int redirect_library(dl_phdr_info* library, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (search.parts.contain(*library)) return 0;
  mpi::redirect_slots(*library, [&](const mpi::Slot& slot) -> void* {
    const Wrapped* const function = find_function(search.functions, slot.symbol);
    return function != nullptr && function->is_theirs(*slot.place) ? function->ours : nullptr;
  });
  return 0;
}

int find_private_call(dl_phdr_info* library, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (search.parts.contain(*library)) return 0;
  mpi::SlotTable(*library).for_each([&](mpi::Slot slot) {
    const Wrapped* const function = find_function(search.functions, slot.symbol);
    if (function == nullptr || !function->is_theirs(*slot.place) || !search.function.empty())
      return;
    search.caller = library->dlpi_name == nullptr ? "" : library->dlpi_name;
    search.function = function->name;
  });
  return search.function.empty() ? 0 : 1;
}

/// Makes a part of the MPI library's table of symbols writable while it lives.
class WritableSymbols {
 public:
  /// From `first` to `last`, both included.
  WritableSymbols(const ElfW(Sym) * first, const ElfW(Sym) * last) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    begin_ = reinterpret_cast<std::uintptr_t>(first) & ~(page - 1);
    bytes_ = reinterpret_cast<std::uintptr_t>(last + 1) - begin_;
    is_open_ = mprotect(reinterpret_cast<void*>(begin_), bytes_, PROT_READ | PROT_WRITE) == 0;
  }
  ~WritableSymbols() {
    if (is_open_) mprotect(reinterpret_cast<void*>(begin_), bytes_, PROT_READ);
  }
  WritableSymbols(const WritableSymbols&) = delete;
  WritableSymbols& operator=(const WritableSymbols&) = delete;
  bool is_open() const { return is_open_; }

 private:
  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0;
  bool is_open_ = false;
};

/// A symbol of the MPI library, and what it is to mean.
struct NewMeaning {
  ElfW(Sym) * symbol;
  void* function;
};

/// To the dynamic linker the symbol's value is an offset from the library's beginning; nothing says
/// that it lies within the library. All pages are opened at once: a pair of mprotect() for each of
/// some 260 symbols took a tenth of a short job's start.
int redirect_symbols(dl_phdr_info* library, std::size_t, void* data) {
  const Search& search = *static_cast<Search*>(data);
  if (library->dlpi_addr != search.parts.main()) return 0;
  std::vector<NewMeaning> meanings;
  mpi::SymbolTable(*library).for_each_defined([&](const char* name, ElfW(Sym) & symbol) {
    const Wrapped* const function = find_function(search.functions, name);
    if (function != nullptr) meanings.push_back({&symbol, function->ours});
  });
  if (meanings.empty()) return 1;
  const WritableSymbols writable(meanings.front().symbol, meanings.back().symbol);
  if (!writable.is_open()) return 1;
  for (const NewMeaning& meaning : meanings) {
    meaning.symbol->st_value = reinterpret_cast<ElfW(Addr)>(meaning.function) - library->dlpi_addr;
  }
  return 1;
}

const char* file_name(const std::string& path) {
  if (path.empty()) return program_invocation_short_name;
  return path.c_str() + (path.rfind('/') + 1);
}

}  // namespace

void follow_private_calls() noexcept {
  preload::done_without_exception([] {
    if (!mpi::bind()) return;
    const MpiParts& parts = MpiParts::now();
    const std::vector<Wrapped> functions = wrapped_functions();
    if (functions.empty() || parts.main() == 0) return;
    Search search{functions, parts, {}, {}};
    dl_iterate_phdr(redirect_library, &search);
    dl_iterate_phdr(redirect_symbols, &search);
  });
}

std::string private_call() {
  const std::vector<Wrapped> functions = wrapped_functions();
  Search search{functions, MpiParts::now(), {}, {}};
  dl_iterate_phdr(find_private_call, &search);
  if (search.function.empty()) return {};
  return std::string(file_name(search.caller)) + " calls " + search.function + " past Kith";
}

}  // namespace kith::interpose
