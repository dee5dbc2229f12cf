#include "sharing/sample_clock.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace kith::sharing {
namespace {

/// Of the calling thread.
struct Running {
  Clock kind = Clock::none;
  int fd = -1;
  std::uint64_t event = 0;  ///< what tells this event from another file that got its number
  int timer = -1;
};

constinit thread_local Running running;
constinit pthread_key_t end_key;

/// The kernel's number of the event behind a file; 0: it is none.
std::uint64_t event_of(int fd) noexcept {
  std::uint64_t id = 0;
  return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 ? id : 0;
}

/// Out of the way of programs that count on small numbers, or close them all.
int moved_up(int fd) noexcept {
  constexpr int high = 512;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, high);
  if (moved < 0) return fd;
  close(fd);
  return moved;
}

int open_event() noexcept {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_TASK_CLOCK;
  wanted.sample_period = sample_period;
  wanted.wakeup_events = 1;
  wanted.disabled = 1;
  // Only what interrupts the thread's own code: no system call ends early.
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  const auto fd =
      static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  return fd < 0 ? fd : moved_up(fd);
}

bool start_event() noexcept {
  const int fd = open_event();
  if (fd < 0) return false;
  const f_owner_ex owner{F_OWNER_TID, static_cast<pid_t>(syscall(SYS_gettid))};
  running.event = event_of(fd);
  const bool is_on = running.event != 0 && fcntl(fd, F_SETSIG, sample_signal()) == 0 &&
                     fcntl(fd, F_SETOWN_EX, &owner) == 0 &&
                     fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 &&
                     ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
  if (!is_on) {
    close(fd);
    return false;
  }
  running.fd = fd;
  running.kind = Clock::events;
  return true;
}

// The C library's timers are in librt for some of its versions.
bool start_timer() noexcept {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = sample_signal();
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
  int timer = -1;
  if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return false;
  itimerspec often{};
  often.it_interval.tv_nsec = often.it_value.tv_nsec = sample_period;
  if (syscall(SYS_timer_settime, timer, 0, &often, nullptr) != 0) {
    syscall(SYS_timer_delete, timer);
    return false;
  }
  running.timer = timer;
  running.kind = Clock::timer;
  return true;
}

}  // namespace

int sample_signal() noexcept {
  return SIGURG;
}

bool prepare_clocks() noexcept {
  static const bool is_made = pthread_key_create(&end_key, [](void*) { stop_clock(); }) == 0;
  return is_made;
}

Clock start_clock() noexcept {
  if (running.kind != Clock::none) return running.kind;
  if (!start_event() && !start_timer()) return Clock::none;
  pthread_setspecific(end_key, &running);
  return running.kind;
}

void stop_clock() noexcept {
  const Running old = running;
  running = {};
  if (old.kind == Clock::timer) syscall(SYS_timer_delete, old.timer);
  // The program may have closed it, and opened something else.
  if (old.kind == Clock::events && event_of(old.fd) == old.event) close(old.fd);
}

void resume_call([[maybe_unused]] void* context) noexcept {
#ifdef __x86_64__
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr std::uintptr_t page = 4096;
  constexpr std::uintptr_t looked_at = 7;  // bytes before: on the same page, else it may not be there
  if (registers[REG_RAX] != -EINTR || static_cast<std::uintptr_t>(registers[REG_RIP]) % page < looked_at)
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
