// Source 1: libmpi exports the table through which all of it calls the message layer. Replacing the
// entries that send shows every message, those inside collectives included.
#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "mpi/late_binding.hpp"
#include "mpi/library.hpp"
#include "record/call_context.hpp"
#include "record/pml/pml.hpp"
#include "record/thread_record.hpp"

namespace kith::record {
namespace {

using SendMode = int;
using Send = int (*)(const void*, std::size_t, MPI_Datatype, int, int, SendMode, MPI_Comm);
using StartSend = int (*)(const void*, std::size_t, MPI_Datatype, int, int, SendMode, MPI_Comm,
                          void**);

// Position of the entries in Open MPI 4.0 and 4.1. (5.0 inserts one after del_comm.)
enum Entry : std::size_t { add_comm = 4, del_comm = 5, isend_init = 9, isend = 10, send = 11 };
struct Named {
  Entry entry;
  const char* suffix;  ///< of the function's name, where the message layer shows names
};
constexpr std::array<Named, 5> entries{{{add_comm, "_add_comm"},
                                        {del_comm, "_del_comm"},
                                        {isend_init, "_isend_init"},
                                        {isend, "_isend"},
                                        {send, "_send"}}};

constinit const CommunicatorLayout* layout = nullptr;
constinit void** table = nullptr;
constinit std::array<void*, 12> before{};

MPI_Comm communicator_of(Word word) {
  return (MPI_Comm)(word);  // a pointer or, where this is compiled but never used, a number
}

void look(int code, std::size_t count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (is_counted_elsewhere(tag) || code != 0) return;
  // Not from the cache of the wrappers: the library makes and frees datatypes unseen.
  MPI_Count size = 0;
  if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0) return;
  classify_message(comm, layout->destinations(comm), dest, count * static_cast<std::uint64_t>(size),
                   tag);
}

int our_send(const void* buffer, std::size_t count, MPI_Datatype datatype, int dest, int tag,
             SendMode mode, MPI_Comm comm) {
  const auto next = reinterpret_cast<Send>(before[send]);
  const int code = next(buffer, count, datatype, dest, tag, mode, comm);
  look(code, count, datatype, dest, tag, comm);
  return code;
}

int our_isend(const void* buffer, std::size_t count, MPI_Datatype datatype, int dest, int tag,
              SendMode mode, MPI_Comm comm, void** request) {
  const auto next = reinterpret_cast<StartSend>(before[isend]);
  const int code = next(buffer, count, datatype, dest, tag, mode, comm, request);
  look(code, count, datatype, dest, tag, comm);
  return code;
}

// Collectives that prepare a send start it exactly once; the program's own persistent sends are
// counted by the wrapper of each start.
int our_isend_init(const void* buffer, std::size_t count, MPI_Datatype datatype, int dest, int tag,
                   SendMode mode, MPI_Comm comm, void** request) {
  const auto next = reinterpret_cast<StartSend>(before[isend_init]);
  const int code = next(buffer, count, datatype, dest, tag, mode, comm, request);
  if (call_context.depth > 0) look(code, count, datatype, dest, tag, comm);
  return code;
}

// No message can prove that these two are what they should be (a communicator would have to be
// made): they pass on whatever they are given, and touch nothing through it.
Word our_add_comm(Word comm, Word b, Word c, Word d, Word e, Word f, Word g, Word h) {
  if (call_context.depth > 0 && call_context.kind == CallKind::window) {
    set_mark(communicator_of(comm), Mark::inside_window);
  }
  return reinterpret_cast<AnyEntry>(before[add_comm])(comm, b, c, d, e, f, g, h);
}

// Its address may soon be another communicator's.
Word our_del_comm(Word comm, Word b, Word c, Word d, Word e, Word f, Word g, Word h) {
  communicator_stamps.raise(communicator_of(comm));
  set_mark(communicator_of(comm), Mark::none);
  return reinterpret_cast<AnyEntry>(before[del_comm])(comm, b, c, d, e, f, g, h);
}

void* replacement_of(Entry entry) {
  switch (entry) {
    case add_comm:
      return reinterpret_cast<void*>(our_add_comm);
    case del_comm:
      return reinterpret_cast<void*>(our_del_comm);
    case isend_init:
      return reinterpret_cast<void*>(our_isend_init);
    case isend:
      return reinterpret_cast<void*>(our_isend);
    case send:
      return reinterpret_cast<void*>(our_send);
  }
  return nullptr;
}

// All entries are functions of one object, with the names that they should have.
bool looks_right(void** candidate) {
  const void* object = nullptr;
  for (const Named& named : entries) {
    Dl_info info{};
    void* const function = candidate[named.entry];
    if (function == nullptr || dladdr(function, &info) == 0) return false;
    if (object != nullptr && info.dli_fbase != object) return false;
    object = info.dli_fbase;
    const bool has_name = info.dli_sname != nullptr && info.dli_saddr == function;
    if (has_name && !std::string_view(info.dli_sname).ends_with(named.suffix)) return false;
  }
  return true;
}

}  // namespace

bool function_table_fits() {
  if (mpi::family_built_for != mpi::Family::open_mpi) return false;  // handles are not its objects
  const mpi::Identity library = mpi::library_identity();
  return library.is_open_mpi(4, 0) || library.is_open_mpi(4, 1);
}

std::string install_function_table(const CommunicatorLayout& found) {
  auto** const candidate = static_cast<void**>(mpi::find_symbol("mca_pml"));
  if (candidate == nullptr) return "the MPI library does not show its message layer";
  if (!looks_right(candidate)) return "the MPI library's message layer has an unknown layout";
  if (!table_is_proven(candidate, {isend_init, isend, send})) {
    return "messages do not pass the MPI library's message layer as expected";
  }
  layout = &found;
  table = candidate;
  for (const Named& named : entries) before[named.entry] = table[named.entry];
  for (const Named& named : entries) {
    __atomic_store_n(&table[named.entry], replacement_of(named.entry), __ATOMIC_RELEASE);
  }
  return {};
}

void remove_function_table() {
  if (table == nullptr) return;
  for (const Named& named : entries) {
    // Somebody else's function in front of ours stays, and goes on calling us.
    if (table[named.entry] != replacement_of(named.entry)) continue;
    __atomic_store_n(&table[named.entry], before[named.entry], __ATOMIC_RELEASE);
  }
}

}  // namespace kith::record
