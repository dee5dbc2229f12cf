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
constinit std::atomic<void (*)()> giving_up{nullptr};

void give_up_for(int number) {
  if (number == shielded.load()) giving_up.load()();
}

int set_action(int number, const struct sigaction* action, struct sigaction* before) {
  give_up_for(number);
  return sigaction(number, action, before);
}

sighandler_t set_signal(int number, sighandler_t handler) {
  give_up_for(number);
  return signal(number, handler);
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
  if (symbol == "signal" || symbol == "__sysv_signal") return reinterpret_cast<void*>(&set_signal);
  if (symbol == "sigwait") return reinterpret_cast<void*>(&wait_for);
  if (symbol == "sigwaitinfo") return reinterpret_cast<void*>(&wait_for_info);
  if (symbol == "sigtimedwait") return reinterpret_cast<void*>(&wait_for_time);
  return nullptr;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int redirect(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view name = file_name_of(library->dlpi_name == nullptr ? "" : library->dlpi_name);
  if (name.starts_with("libkith") || name.starts_with("libc.so") || name.starts_with("ld-"))
    return 0;
  mpi::redirect_slots(*library, [](const mpi::Slot& slot) { return shield_of(slot.symbol); });
  return 0;
}

}  // namespace

void shield_signal(int number, void (*give_up)()) noexcept {
  shielded.store(number);
  giving_up.store(give_up);
  dl_iterate_phdr(redirect, nullptr);
}

}  // namespace kith::preload
