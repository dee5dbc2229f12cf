#include "sharing/sample_clock.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace kith::sharing {
namespace {

/// 1 + the timer of each thread; 0: free.
constexpr std::size_t most_clocks = 1024;
constinit std::array<std::atomic<int>, most_clocks> timers{};
constinit thread_local std::atomic<int>* own_timer = nullptr;
constinit pthread_key_t end_key;

/// Whoever takes the timer out of its place deletes it.
void remove(std::atomic<int>& place) noexcept {
  const int timer = place.exchange(0);
  if (timer != 0) syscall(SYS_timer_delete, timer - 1);
}

std::atomic<int>* keep(int timer) noexcept {
  for (std::atomic<int>& place : timers) {
    int free = 0;
    if (place.load(std::memory_order_relaxed) == 0 &&
        place.compare_exchange_strong(free, timer + 1))
      return &place;
  }
  return nullptr;
}

}  // namespace

int sample_signal() noexcept {
  return SIGURG;
}

bool prepare_clocks() noexcept {
  static const bool is_made = pthread_key_create(&end_key, [](void*) { stop_clock(); }) == 0;
  return is_made;
}

// The C library's timers are in librt for some of its versions.
bool start_clock() noexcept {
  if (own_timer != nullptr) return true;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = sample_signal();
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
  int timer = 0;
  if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return false;
  own_timer = keep(timer);
  if (own_timer == nullptr) {
    syscall(SYS_timer_delete, timer);
    return false;
  }
  itimerspec often{};
  often.it_interval.tv_nsec = often.it_value.tv_nsec = 1'000'000;
  if (syscall(SYS_timer_settime, timer, 0, &often, nullptr) != 0) {
    stop_clock();
    return false;
  }
  pthread_setspecific(end_key, own_timer);
  return true;
}

void stop_clock() noexcept {
  if (own_timer != nullptr) remove(*own_timer);
  own_timer = nullptr;
}

void stop_all_clocks() noexcept {
  for (std::atomic<int>& place : timers) remove(place);
}

void forget_clocks() noexcept {
  for (std::atomic<int>& place : timers) place.store(0);
  own_timer = nullptr;
}

void resume_call([[maybe_unused]] void* context) noexcept {
#ifdef __x86_64__
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr std::uintptr_t page = 4096;
  constexpr std::uintptr_t looked_at = 7;  // bytes before: on the same page, else not surely there
  if (registers[REG_RAX] != -EINTR ||
      static_cast<std::uintptr_t>(registers[REG_RIP]) % page < looked_at)
    return;
  const auto* const behind = reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]);
  // mov $number,%eax; syscall: the C library's
  constexpr std::uint8_t call[] = {0x0f, 0x05};
  constexpr int load = 5;
  if (!std::equal(call, call + 2, behind - 2) || behind[-2 - load] != 0xb8) return;
  std::int32_t number = 0;
  std::memcpy(&number, behind - 2 - load + 1, sizeof number);
  registers[REG_RAX] = number;
  registers[REG_RIP] -= 2;
#endif
}

}  // namespace kith::sharing
