#include "accesses/thread_numbers.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <mutex>

#include "accesses/sharing.hpp"
#include "core/thread_creators.hpp"

namespace kith::accesses {
namespace {

constinit std::mutex numbers_mutex;
constinit std::array<bool, most_threads> is_taken{true};  // 0 is main's for ever
constinit thread_local std::uint32_t number_of_this = 0;
constinit thread_local bool is_known = false;

/// most_threads where all are taken.
std::uint32_t take_lowest() noexcept {
  const std::lock_guard guard(numbers_mutex);
  for (std::uint32_t number = 0; number < most_threads; ++number) {
    if (is_taken[number]) continue;
    is_taken[number] = true;
    return number;
  }
  return most_threads;
}

void give_back(std::uint32_t number) noexcept {
  if (number >= most_threads) return;
  const std::lock_guard guard(numbers_mutex);
  is_taken[number] = false;
}

/// Holds 1 + a thread's number, which it gives back at the thread's end.
pthread_key_t number_key() noexcept {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, [](void* value) {
      give_back(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value) - 1));
    });
    return made;
  }();
  return key;
}

void become(std::uint32_t number) noexcept {
  number_of_this = number;
  is_known = true;
  pthread_setspecific(number_key(), reinterpret_cast<void*>(std::uintptr_t{number} + 1));
}

/// Whether the code is that of a library whose threads are not the program's.
bool is_outside(const void* caller) noexcept {
  Dl_info library{};
  return dladdr(caller, &library) != 0 && library.dli_fname != nullptr &&
         is_of_communication(library.dli_fname);
}

struct Start {
  void* (*function)(void*);
  void* argument;
  std::uint32_t number;
};

void* run(void* data) {
  const Start start = *static_cast<Start*>(data);
  std::free(data);
  become(start.number);
  return start.function(start.argument);
}

}  // namespace

std::uint32_t own_number() noexcept {
  if (!is_known) {
    if (getpid() == gettid()) {
      is_known = true;
    } else {
      become(take_lowest());  // it was not created by the program
    }
  }
  return number_of_this;
}

}  // namespace kith::accesses

/// In front of the C library's.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  using namespace kith::accesses;
  static auto* const next =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  auto* const start = is_outside(__builtin_return_address(0))
                          ? nullptr
                          : static_cast<Start*>(std::malloc(sizeof(Start)));
  if (start == nullptr) return next(thread, attributes, function, argument);
  *start = {function, argument, take_lowest()};
  const std::uint32_t number = start->number;
  const int code = next(thread, attributes, run, start);
  if (code != 0) {
    give_back(number);
    std::free(start);
  }
  return code;
}
