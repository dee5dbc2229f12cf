#include "sampling/signal_shield.hpp"

#include <link.h>
#include <signal.h>

#include <atomic>
#include <string_view>

#include "core/thread_creators.hpp"
#include "mpi/slots.hpp"

namespace kith::preload {
namespace {

constinit std::atomic<int> shielded{0};
constinit std::atomic<void (*)(sighandler_t)> giving_up{nullptr};
/// What the program thinks became of the signal.
constinit std::atomic<sighandler_t> handler_seen{SIG_DFL};

/// Whether the program merely wants the signal to do nothing, as it does by default: it does.
/// `seen`: what it is told was there before.
bool does_nothing(int number, sighandler_t wanted, sighandler_t& seen) {
  if (number != shielded.load() || (wanted != SIG_DFL && wanted != SIG_IGN)) return false;
  seen = handler_seen.exchange(wanted);
  return true;
}

void give_up_for(int number) {
  if (number == shielded.load()) giving_up.load()(handler_seen.load());
}

int set_action(int number, const struct sigaction* action, struct sigaction* before) {
  sighandler_t seen = handler_seen.load();
  const bool only_asks = number == shielded.load() && action == nullptr;
  if (only_asks || (action != nullptr && does_nothing(number, action->sa_handler, seen))) {
    if (before != nullptr) {
      *before = {};
      before->sa_handler = seen;
    }
    return 0;
  }
  give_up_for(number);
  return sigaction(number, action, before);
}

sighandler_t set_signal(int number, sighandler_t handler) {
  sighandler_t seen = SIG_DFL;
  if (does_nothing(number, handler, seen)) return seen;
  give_up_for(number);
  return signal(number, handler);
}

/// What signal() is in programs for System V: the handler is called once.
sighandler_t set_signal_once(int number, sighandler_t handler) {
  sighandler_t seen = SIG_DFL;
  if (does_nothing(number, handler, seen)) return seen;
  give_up_for(number);
  return sysv_signal(number, handler);
}

sigset_t without_ours(const sigset_t* set) {
  sigset_t others = *set;
  sigdelset(&others, shielded.load());
  return others;
}

int wait_for(const sigset_t* set, int* number) {
  const sigset_t others = without_ours(set);
  return sigwait(&others, number);
}

int wait_for_info(const sigset_t* set, siginfo_t* info) {
  const sigset_t others = without_ours(set);
  return sigwaitinfo(&others, info);
}

int wait_for_time(const sigset_t* set, siginfo_t* info, const timespec* time) {
  const sigset_t others = without_ours(set);
  return sigtimedwait(&others, info, time);
}

void* shield_of(std::string_view symbol) {
  if (symbol == "sigaction") return reinterpret_cast<void*>(&set_action);
  if (symbol == "signal") return reinterpret_cast<void*>(&set_signal);
  if (symbol == "__sysv_signal") return reinterpret_cast<void*>(&set_signal_once);
  if (symbol == "sigwait") return reinterpret_cast<void*>(&wait_for);
  if (symbol == "sigwaitinfo") return reinterpret_cast<void*>(&wait_for_info);
  if (symbol == "sigtimedwait") return reinterpret_cast<void*>(&wait_for_time);
  return nullptr;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int redirect(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view name =
      file_name_of(library->dlpi_name == nullptr ? "" : library->dlpi_name);
  if (name.starts_with("libkith") || name.starts_with("libc.so") || name.starts_with("ld-"))
    return 0;
  mpi::redirect_slots(*library, [](const mpi::Slot& slot) { return shield_of(slot.symbol); });
  return 0;
}

}  // namespace

void shield_signal(int number, sighandler_t before, void (*give_up)(sighandler_t)) noexcept {
  handler_seen.store(before);
  shielded.store(number);
  giving_up.store(give_up);
  shield_new_libraries();
}

void shield_new_libraries() noexcept {
  dl_iterate_phdr(redirect, nullptr);
}

void end_shield() noexcept {
  shielded.store(0);
}

}  // namespace kith::preload
