#include "mpi/succession.hpp"

#include <dlfcn.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/file_content.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/library.hpp"

namespace kith::mpi {

constinit std::atomic<void*> successor{nullptr};
constinit std::atomic<const char*> successor_problem{nullptr};

namespace {

// Counts what the two have to agree on: Front, and what kith_take_over() does.
#define KITH_SUCCESSION "1"

constinit Front the_front{};
constinit std::atomic<const Front*> known_front{nullptr};

const char* kind_of_library() {
  switch (family_by_handles()) {
    case Family::open_mpi:
      return "openmpi";
    case Family::mpich:
      return "mpich";
    case Family::standard:
      return "standard";
    case Family::other:
      break;
  }
  return nullptr;
}

/// Of this file, whichever way it was named: the program may have left the folder since.
std::string own_path() {
  Dl_info own{};
  if (dladdr(&the_front, &own) == 0) return {};
  std::array<char, PATH_MAX> resolved;
  if (own.dli_fname[0] == '/' && realpath(own.dli_fname, resolved.data()) != nullptr)
    return resolved.data();
  // "7f2c4a000000-7f2c4a021000 r--p 00000000 08:01 1234   /path/libkith.so.0.1.0"
  std::array<char, 32> begin;
  std::snprintf(begin.data(), begin.size(), "\n%lx-",
                static_cast<unsigned long>(reinterpret_cast<std::uintptr_t>(own.dli_fbase)));
  const std::string maps = file_content("/proc/self/maps");
  const std::size_t line = maps.find(begin.data());  // the first line is the program's
  const std::size_t path = line == std::string::npos ? line : maps.find('/', line);
  if (path == std::string::npos) return {};
  return maps.substr(path, maps.find('\n', path) - path);
}

}  // namespace

std::string successor_path() {
  const char* const kind = kind_of_library();
  if (kind == nullptr) return {};
  const std::string path = own_path();
  if (path.empty()) return {};
  return path.substr(0, path.rfind('/')) + "/libkith-" + kind + ".so";
}

const char* succession_version() {
  return KITH_VERSION "/" KITH_SUCCESSION;
}

bool present_to(void* library, const Front& front) {
  auto* const take_over =
      reinterpret_cast<bool (*)(const Front*)>(dlsym(library, "kith_take_over"));
  return take_over != nullptr && take_over(&front);
}

const Front* front() {
  return known_front.load(std::memory_order_acquire);
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
extern "C" __attribute__((visibility("default"))) bool kith_take_over(
    const kith::mpi::Front* front) {
  using namespace kith::mpi;
  const bool is_fit = std::strcmp(front->version, succession_version()) == 0 &&
                      family_by_handles() == family_built_for && !is_of_this_library(front->begin);
  if (!is_fit) return false;
  the_front = *front;
  known_front.store(&the_front, std::memory_order_release);
  return true;
}
