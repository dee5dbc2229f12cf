// One libkith.so for MPI libraries of several kinds. It is made for one of them; beside it lie
// libkith-mpich.so or libkith-openmpi.so, made of the same sources for the other kind. Where a
// program brings that, libkith.so hands everything over: all that finds a function of libkith.so
// finds the successor's.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace kith::mpi {

/// The libkith.so in front of its successor.
struct Front {
  const void* begin;  ///< where it lies in memory
  const void* end;
  void* (*next)(const char* name);  ///< its next_in_scope()
};

/// The name of the file beside this one that was made for the MPI library of the process, whether
/// it exists or not: "/usr/lib/libkith-mpich.so"; empty where no kind is known. Throws
/// std::bad_alloc.
std::string successor_path();

/// From now on `library`, from dlopen(), does all that this one did. Once.
void set_successor(void* library);
/// What took over: null where nothing did.
extern std::atomic<void*> successor;

/// In the successor: who is in front of it, null where it is the only one.
const Front* front();
void set_front(const Front& front);

/// Whether an address lies in the libkith.so in front of this one.
inline bool is_of_front(const void* address) {
  const Front* const before = front();
  return before != nullptr && address >= before->begin && address < before->end;
}

/// The definition of `name` behind libkith.so in the global scope; null where there is none. The
/// successor is not in that scope: the library in front of it looks.
void* next_in_scope(const char* name);

}  // namespace kith::mpi
