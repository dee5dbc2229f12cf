// Calls of MPI that may not reach Kith: of another MPI library, private to a library, by PMPI
// name, before MPI_Init; what is done about each, and the reason in words.
#pragma once

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "job/presence.hpp"

// The linker's names for the beginning and the end of this library.
extern "C" {
[[gnu::visibility("hidden")]] extern const char __ehdr_start;
[[gnu::visibility("hidden")]] extern const char _end;
}

namespace kith::interpose {

/// Whether an address lies in this library. Cheap: dladdr() searches all symbols of one.
inline bool is_in_this_library(const void* address) {
  const auto* const place = static_cast<const char*>(address);
  return place >= &__ehdr_start && place < &_end;
}

/// Notes that MPI_Init reached Kith. Under an MPI library of another kind than ours one line on
/// stderr says so now. Where it did not, at the end of a process that used MPI while a trace or an
/// order was asked for, one line on stderr says so.
void note_init();

/// Why some calls of this program may not reach us, as a clause; empty when all do. Such a program
/// must not be reordered: it would see two orders at once.
std::string bypass_reason();

/// What of the program calls an intercepted function by its PMPI name, past Kith, as a clause;
/// empty where nothing does. Not meant are the MPI library, its bindings, and tools: what defines
/// one of MPI's functions passes the program's own calls on. Sees what is loaded by now.
std::string direct_call();

/// Where the MPI library that is loaded by now is not of the kind that this file was built for:
/// hands over to the file beside it that was (mpi/succession.hpp); from then on the program and
/// libraries that are loaded later find its functions under our names. Without such a file, points
/// the program's calls of MPI at the MPI library, past our wrappers, which would cut handles of
/// another size short; what is loaded later does not find the wrappers any more. Only MPI_Init and
/// MPI_Init_thread, which take no handles, still come by. Cheap if the library is of our kind or if
/// no MPI library is loaded; thread safe, never fails.
void step_aside_for_other_mpi() noexcept;

// Calls of MPI_X that find the MPI library's own definition, and not ours.
//
// A library that is opened with RTLD_DEEPBIND, and a program that asks the MPI library itself for a
// function (dlsym on its handle, as ctypes does), look past the global scope in which Kith stands
// first. They would see the launcher's order in a program whose other parts see Kith's.

/// Points such calls at our wrappers: those of the libraries that are loaded by now, and in the MPI
/// library's table of symbols all that are looked up from now on. Does neither where a tool behind
/// Kith wraps MPI too: its own calls have to reach the MPI library. Before MPI_Init; never fails.
void follow_private_calls() noexcept;

/// What still calls the MPI library past Kith, as a clause; empty where nothing does. Sees what is
/// loaded by now.
std::string private_call();

/// What the program may ask of Kith: by all that is loaded now, except the MPI library. No call of
/// MPI. Where memory is short: as if the program called none of it.
preload::ProgramCalls find_program_calls() noexcept;

// MPI 4's sessions: processes named without a world.

/// Did the program open one?
bool session_opened();

/// Empty, or why MPI_COMM_WORLD may not be reordered: a group made before has the launcher's order.
/// Asked in MPI_Init.
std::string session_obstacle();

/// The library that defines PMPI_Init, all that it depends on, its plug-ins, and the libraries that
/// lie beside it and are built with it. A name alone makes no library a part of MPI. Bindings for
/// Fortran are not parts of it: their calls are the program's.
class MpiParts {
 public:
  /// What is loaded now: found once, and again after libraries were opened or closed. Valid until
  /// the next call. For the thread that calls MPI_Init alone. Throws std::bad_alloc.
  static const MpiParts& now();

  /// Whether the library is a part of MPI. Safe where the list of libraries is locked.
  bool contain(const dl_phdr_info& library) const;
  /// Where the library that defines PMPI_Init begins; 0 where no library does.
  ElfW(Addr) main() const { return main_; }

 private:
  MpiParts();

  ElfW(Addr) main_ = 0;
  std::vector<ElfW(Addr)> bases_;  // ascending
};

// The functions of MPI that libkith.so defines.

/// Their names, sorted by the generator; each ends with a null character.
inline constexpr std::string_view intercepted[] = {
#define KITH_INTERCEPTED(name) #name,
#include "interpose/intercepted.inc"
#undef KITH_INTERCEPTED
};
inline constexpr std::size_t intercepted_count = std::size(intercepted);
static_assert(std::is_sorted(std::begin(intercepted), std::end(intercepted)));

/// The place of MPI_X in the list; intercepted_count where it is not there. No look-up of symbols:
/// for callbacks of dl_iterate_phdr.
inline std::size_t intercepted_number(std::string_view name) {
  const auto* const found = std::lower_bound(std::begin(intercepted), std::end(intercepted), name);
  const bool is_known = found != std::end(intercepted) && *found == name;
  return is_known ? static_cast<std::size_t>(found - std::begin(intercepted)) : intercepted_count;
}

}  // namespace kith::interpose
