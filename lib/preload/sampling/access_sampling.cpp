#include "sampling/access_sampling.hpp"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/log.hpp"
#include "core/thread_creators.hpp"
#include "record/load_clock.hpp"
#include "sampling/signal_shield.hpp"
#include "sharing/coming_accesses.hpp"
#include "sharing/line_table.hpp"
#include "sharing/matrix_file.hpp"
#include "sharing/sample_clock.hpp"
#include "sharing/sample_log.hpp"

namespace kith::preload {
namespace {

/// What was seen.
struct Seen {
  sharing::SampleLog log;
  std::atomic<std::uint32_t> threads{0};  ///< 1 + the highest
};

constinit std::atomic<Seen*> the_seen{nullptr};
constinit std::atomic<bool> is_on{false};
constinit std::atomic<bool> has_ended{false};
constinit thread_local int number_of_this = -1;

struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// Code whose accesses are not the program's. Entries are only added.
struct ForeignCode {
  static constexpr std::size_t most = 256;
  std::array<CodeRange, most> ranges{};
  std::atomic<std::size_t> count{0};

  bool has(std::uintptr_t address) const noexcept {
    const std::size_t now = count.load(std::memory_order_acquire);
    return std::any_of(
        ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(now),
        [&](const CodeRange& range) { return range.begin <= address && address < range.end; });
  }

  void add(const CodeRange& range) noexcept {
    const std::size_t now = count.load(std::memory_order_relaxed);
    if (now == most || has(range.begin)) return;
    ranges[now] = range;
    count.store(now + 1, std::memory_order_release);
  }
};

constinit ForeignCode foreign_code;

int add_foreign_code(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view path = library->dlpi_name == nullptr ? "" : library->dlpi_name;
  const std::string_view name = file_name_of(path);
  if (!is_of_communication(path) && !is_open_mp(path) && !name.starts_with("libkith") &&
      !name.starts_with("ld-"))
    return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = library->dlpi_addr + part.p_vaddr;
    foreign_code.add({begin, begin + part.p_memsz});
  }
  return 0;
}

#ifdef __x86_64__
constexpr bool is_known_processor = true;

/// In the order in which instructions number them.
std::array<std::uint64_t, 16> registers_of(const mcontext_t& machine) noexcept {
  constexpr std::array<int, 16> places{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                       REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                       REG_R12, REG_R13, REG_R14, REG_R15};
  std::array<std::uint64_t, 16> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint64_t>(machine.gregs[places[i]]);
  }
  return values;
}

std::uint64_t now() noexcept {
  return record::nanoseconds_of(CLOCK_MONOTONIC);
}

/// Takes some microseconds of the few milliseconds between two samples.
void note_accesses(sharing::SampleLog& log, const mcontext_t& machine,
                   std::uint32_t thread) noexcept {
  constexpr std::uint64_t longest = 10'000;  // ns
  const auto code = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
  if (foreign_code.has(code)) return;
  const std::uint64_t end = now() + longest;
  const std::uint64_t sample = log.begin_sample();
  std::size_t noted = 0;
  std::array<std::uintptr_t, 8> recent{};  // lines, and whether they were written
  const auto note = [&](std::uintptr_t address, bool is_write) {
    const std::uintptr_t line = address >> 6U << 1U | (is_write ? 1U : 0U);
    if (std::find(recent.begin(), recent.end(), line) != recent.end()) return;
    recent[noted++ % recent.size()] = line;
    log.note(sample, address, thread, is_write);
  };
  sharing::ComingAccesses(code, registers_of(machine)).for_each(note, [&] { return now() < end; });
}
#else
constexpr bool is_known_processor = false;

void note_accesses(sharing::SampleLog&, const mcontext_t&, std::uint32_t) noexcept {}
#endif

/// In the thread that computed for a while.
void take_sample(int, siginfo_t*, void* context) {
  const int error = errno;
  Seen* const all = the_seen.load(std::memory_order_acquire);
  if (has_ended.load(std::memory_order_relaxed)) {
    sharing::stop_clock();
  } else if (all != nullptr && number_of_this >= 0) {
    note_accesses(all->log, static_cast<const ucontext_t*>(context)->uc_mcontext,
                  static_cast<std::uint32_t>(number_of_this));
  }
  sharing::resume_call(context);
  errno = error;
}

/// Nothing where the signal is handled already; else what becomes of it.
std::optional<sighandler_t> free_signal() noexcept {
  struct sigaction now {};
  if (sigaction(sharing::sample_signal(), nullptr, &now) != 0) return std::nullopt;
  if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) return std::nullopt;
  return now.sa_handler;
}

/// The program wants the signal.
void give_up(sighandler_t before) {
  end_shield();
  sharing::stop_all_clocks();
  signal(sharing::sample_signal(), before);
  if (!is_on.exchange(false)) return;
  has_ended.store(true);
  log_line("KITH_THREADS: the program uses SIGURG: its threads are not sampled from here on");
}

}  // namespace

bool libkith_accesses_is_there() noexcept {
  return dlsym(RTLD_DEFAULT, "kith_accesses_take") != nullptr;
}

std::string start_sampling() {
  if (!is_known_processor) return "only instructions of x86-64 can be looked at";
  const auto before = free_signal();
  if (!before) return "the program uses SIGURG";
  struct sigaction action {};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  if (sigaction(sharing::sample_signal(), &action, nullptr) != 0) return "SIGURG cannot be used";
  void* const memory = mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || !sharing::prepare_clocks()) return "the process has no room for it";
  the_seen.store(static_cast<Seen*>(memory), std::memory_order_release);  // zeros will do
  shield_signal(sharing::sample_signal(), *before, give_up);
  look_at_libraries();
  is_on.store(true);
  sample_this_thread(0);
  if (number_of_this < 0) {
    end_sampling();
    return "the system gives no timer of a thread's computing time";
  }
  return {};
}

bool is_sampling() noexcept {
  return is_on.load(std::memory_order_relaxed);
}

void sample_this_thread(int number) noexcept {
  Seen* const all = the_seen.load(std::memory_order_acquire);
  if (!is_sampling() || all == nullptr || number < 0 ||
      static_cast<std::uint32_t>(number) >= sharing::most_threads)
    return;
  if (!sharing::start_clock()) return;
  number_of_this = number;
  const auto threads = static_cast<std::uint32_t>(number) + 1;
  std::uint32_t before = all->threads.load();
  while (before < threads && !all->threads.compare_exchange_weak(before, threads)) {
  }
}

void look_at_libraries() noexcept {
  dl_iterate_phdr(add_foreign_code, nullptr);
  shield_new_libraries();
}

void forget_sampling() noexcept {
  is_on.store(false);
  has_ended.store(true);
  sharing::forget_clocks();
}

void end_sampling() noexcept {
  is_on.store(false);
  has_ended.store(true);
  sharing::stop_all_clocks();
}

void retire_sampling() noexcept {
  if (!is_sampling()) return;
  end_shield();
  end_sampling();
  signal(sharing::sample_signal(), SIG_DFL);
}

std::uint64_t samples_taken() {
  const Seen* const all = the_seen.load(std::memory_order_acquire);
  return all == nullptr ? 0 : all->log.samples();
}

std::string sampled_matrix() {
  const Seen* const all = the_seen.load(std::memory_order_acquire);
  if (all == nullptr || all->threads.load() < 2) return {};
  const sharing::SampledSharing found = all->log.sharing(all->threads.load());
  return sharing::matrix_text(
      all->threads.load(),
      "how often thread j was seen to touch a line of " + std::to_string(found.line_bytes) +
          " bytes after thread i, where one of them wrote it; " +
          std::to_string(all->log.samples()) + " samples",
      [&](std::uint32_t before, std::uint32_t after) {
        const auto count = found.counts.find({before, after});
        return count == found.counts.end() ? std::uint64_t{0} : count->second;
      });
}

}  // namespace kith::preload
