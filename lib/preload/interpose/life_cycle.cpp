// MPI_Init, MPI_Init_thread, MPI_Finalize: where Kith begins and ends.

#include <dlfcn.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "binding/thread_binding.hpp"
#include "comm/catching.hpp"
#include "interpose/bypass_report.hpp"
#include "interpose/fortran/forward.hpp"
#include "interpose/wrapper.hpp"
#include "job/presence.hpp"
#include "mpi/slots.hpp"
#include "mpi/succession.hpp"
#include "session/session.hpp"

namespace kith::interpose {
namespace {

// Which of MPI's and Kith's functions the program may call, by what its parts refer to.

using preload::ProgramCalls;

/// Without the endings that Fortran compilers and mpi_f08 give a name.
std::string_view bare_name(std::string_view name) {
  while (name.ends_with('_')) name.remove_suffix(1);
  if (name.ends_with("_f08")) name.remove_suffix(4);
  return name;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> known) {
  return std::ranges::any_of(known, [&](std::string_view one) {
    return one.size() == name.size() && strncasecmp(one.data(), name.data(), name.size()) == 0;
  });
}

void note_symbol(const char* symbol, ProgramCalls& calls) {
  const bool is_kith = std::strncmp(symbol, "kith_", 5) == 0;
  if (is_kith && std::strcmp(symbol, "kith_bind") != 0) calls.kith = true;  // that needs no record
  if (strncasecmp(symbol, "mpi_", 4) != 0) return;
  const std::string_view name = bare_name(symbol);
  if (is_one_of(name, {"MPI_Cart_map", "MPI_Graph_map"})) calls.maps = true;
  if (is_one_of(name, {"MPI_Cart_create", "MPI_Graph_create", "MPI_Dist_graph_create",
                       "MPI_Dist_graph_create_adjacent"})) {
    calls.topologies = true;
  }
}

struct Search {
  const MpiParts& parts;
  const void* ours;  // where libkith.so begins
  ProgramCalls calls;
};

// No call of dlopen or dlsym in here: the list of libraries is locked.
int look_at(dl_phdr_info* library, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const auto* const base = reinterpret_cast<const void*>(library->dlpi_addr);
  const bool is_ours = base == search.ours || kith::mpi::is_of_front(base);
  if (is_ours || search.parts.contain(*library) || is_binding(*library)) return 0;
  mpi::SlotTable(*library).for_each(
      [&](mpi::Slot slot) { note_symbol(slot.symbol, search.calls); });
  return 0;
}

}  // namespace

ProgramCalls find_program_calls() noexcept {
  ProgramCalls calls;
  preload::done_without_exception([&] {
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&find_program_calls), &own);
    Search search{MpiParts::now(), own.dli_fbase, {}};
    dl_iterate_phdr(look_at, &search);
    calls = search.calls;
    calls.python = dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr;
  });
  return calls;
}

}  // namespace kith::interpose

using namespace kith::interpose;

namespace {

/// Before the MPI library's own.
void prepare() {
  step_aside_for_other_mpi();
  note_init();
  redirect_bindings();
}

void before(const CallScope& call) {
  if (!call.outermost()) return;
  kith::preload::suspend_binding();
  kith::preload::before_init(find_program_calls());
  if (kith::preload::is_something_asked()) follow_private_calls();
}

void after(const CallScope& call, int code) {
  if (!call.outermost() || code != MPI_SUCCESS) return;
  kith::preload::resume_binding();
  kith::preload::after_init(bypass_reason);
  const kith::record::OwnCalls own;
  int rank = -1;
  if (kith::mpi::bind() && PMPI_Comm_rank(kith::mpi::program_world(), &rank) == MPI_SUCCESS) {
    kith::preload::set_program_rank(rank);
  }
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Init(int* argc, char*** argv) {
  static constinit NextFunction<decltype(&MPI_Init)> next{"MPI_Init"};
  const CallScope call(CallKind::setup);
  prepare();
  before(call);
  const int code = next.get()(argc, argv);
  after(call, code);
  return code;
}

KITH_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static constinit NextFunction<decltype(&MPI_Init_thread)> next{"MPI_Init_thread"};
  const CallScope call(CallKind::setup);
  prepare();
  before(call);
  const int code = next.get()(argc, argv, required, provided);
  after(call, code);
  return code;
}

KITH_EXPORT int MPI_Finalize(void) {
  static constinit NextFunction<decltype(&MPI_Finalize)> next{"MPI_Finalize"};
  const CallScope call(CallKind::setup);
  if (call.outermost()) {
    kith::preload::tell_if_none_was_bound();
    kith::preload::before_finalize();
  }
  return next.get()();
}

}  // extern "C"
