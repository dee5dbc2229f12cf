// One libkith.so for MPI libraries of all kinds. It is made for Open MPI; beside it lie
// libkith-mpich.so and libkith-standard.so, made of the same sources for MPICH's kind and for the
// standard's own interface (libmpi_abi). Where a program brings one of these, libkith.so hands
// everything over: all that finds a function of libkith.so finds the successor's.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace kith::mpi {

/// The libkith.so in front of its successor.
struct Front {
  const char* version;  ///< of the sources that both have to be made of
  const void* begin;  ///< where it lies in memory
  const void* end;
  void* (*next)(const char* name);  ///< its next_in_scope()
};

/// The name of the file beside this one that was made for the MPI library of the process, whether
/// it exists or not: "/usr/lib/libkith-mpich.so"; empty where no kind is known. Throws
/// std::bad_alloc.
std::string successor_path();

/// The version of this library's sources, with what the two have to agree on.
const char* succession_version();

/// Asks `library`, a handle of dlopen(), to take over from this one. False if it refuses: it has
/// another version, or was built for another kind of MPI libraries.
bool present_to(void* library, const Front& front);

/// The handle of the library that took over; null if none did.
extern std::atomic<void*> successor;

/// Why the successor's file cannot be used. Null if it can be used, or does not exist.
extern std::atomic<const char*> successor_problem;

/// In the successor: the library that handed over to it. Null if none did.
const Front* front();

/// Whether an address lies in the libkith.so in front of this one.
inline bool is_of_front(const void* address) {
  const Front* const before = front();
  return before != nullptr && address >= before->begin && address < before->end;
}

/// The definition of `name` behind libkith.so in the global scope; null where there is none. The
/// successor is not in that scope: the library in front of it looks.
void* next_in_scope(const char* name);

}  // namespace kith::mpi
