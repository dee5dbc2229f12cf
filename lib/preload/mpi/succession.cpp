#include "mpi/succession.hpp"

#include <dlfcn.h>

#include <array>
#include <climits>
#include <cstdlib>

#include "mpi/late_binding.hpp"
#include "mpi/library.hpp"

namespace kith::mpi {

constinit std::atomic<void*> successor{nullptr};

namespace {

constinit Front the_front{};
constinit std::atomic<const Front*> known_front{nullptr};

const char* kind_of_library() {
  switch (family_by_handles()) {
    case Family::open_mpi:
      return "openmpi";
    case Family::mpich:
      return "mpich";
    case Family::other:
      break;
  }
  return nullptr;
}

}  // namespace

std::string successor_path() {
  const char* const kind = kind_of_library();
  Dl_info own{};
  std::array<char, PATH_MAX> resolved;
  if (kind == nullptr || dladdr(&the_front, &own) == 0 ||
      realpath(own.dli_fname, resolved.data()) == nullptr)
    return {};
  const std::string path = resolved.data();
  return path.substr(0, path.rfind('/')) + "/libkith-" + kind + ".so";
}

void set_successor(void* library) {
  successor.store(library, std::memory_order_release);
}

const Front* front() {
  return known_front.load(std::memory_order_acquire);
}

void set_front(const Front& front) {
  the_front = front;
  known_front.store(&the_front, std::memory_order_release);
}

void* next_in_scope(const char* name) {
  const Front* const before = front();
  if (before != nullptr) return before->next(name);
  void* found = dlsym(RTLD_NEXT, name);
  // No tail call: dlsym() knows by its return address behind which library it is to look.
  asm volatile("" : "+r"(found));
  return found;
}

}  // namespace kith::mpi

/// What libkith.so calls in the library that takes over from it.
extern "C" __attribute__((visibility("default"))) void kith_take_over(
    const kith::mpi::Front* front) {
  kith::mpi::set_front(*front);
}
