#include "binding/thread_numbers.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kith::preload {
namespace {

constexpr std::size_t most_numbers = 4096;
/// Threads that have each number: two, where a team said so.
constinit std::array<std::atomic<std::uint16_t>, most_numbers> holders{};
constinit std::atomic<bool> is_prepared{false};
/// Holds 1 + the number of a thread, and gives it back when the thread ends.
pthread_key_t number_key;

int held(const void* value) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(value)) - 1;
}

}  // namespace

bool prepare_thread_numbers() noexcept {
  static const bool is_made =
      pthread_key_create(&number_key, [](void* value) { give_back_number(held(value)); }) == 0;
  if (is_made && !is_prepared.exchange(true)) holders[0].fetch_add(1);  // main's for ever
  return is_made;
}

int take_lowest_number() noexcept {
  if (!is_prepared.load(std::memory_order_acquire)) return -1;
  for (std::size_t number = 0; number < most_numbers; ++number) {
    std::uint16_t none = 0;
    if (holders[number].load(std::memory_order_relaxed) == 0 &&
        holders[number].compare_exchange_strong(none, 1)) {
      return static_cast<int>(number);
    }
  }
  return -1;
}

void give_back_number(int number) noexcept {
  if (number < 0 || static_cast<std::size_t>(number) >= most_numbers) return;
  std::uint16_t count = holders[static_cast<std::size_t>(number)].load();
  while (count > 0 && !holders[static_cast<std::size_t>(number)].compare_exchange_weak(
                          count, static_cast<std::uint16_t>(count - 1))) {
  }
}

void have_number(int number) noexcept {
  pthread_setspecific(number_key, reinterpret_cast<void*>(static_cast<std::uintptr_t>(number) + 1));
}

void change_number(int number) noexcept {
  if (getpid() == gettid() || static_cast<std::size_t>(number) >= most_numbers) return;
  give_back_number(own_number());
  holders[static_cast<std::size_t>(number)].fetch_add(1);
  have_number(number);
}

int own_number() noexcept {
  if (!is_prepared.load(std::memory_order_acquire)) return -1;
  return getpid() == gettid() ? 0 : held(pthread_getspecific(number_key));
}

void begin_numbers_again() noexcept {
  if (!is_prepared.load(std::memory_order_acquire)) return;
  pthread_setspecific(number_key, nullptr);
  for (std::size_t number = 0; number < most_numbers; ++number) {
    holders[number].store(number == 0 ? 1 : 0, std::memory_order_relaxed);
  }
}

}  // namespace kith::preload
