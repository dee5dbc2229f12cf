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

#include "core/log.hpp"
#include "core/thread_creators.hpp"
#include "sampling/signal_shield.hpp"
#include "sharing/line_table.hpp"
#include "sharing/matrix_file.hpp"
#include "sharing/coming_accesses.hpp"
#include "sharing/sample_clock.hpp"

namespace kith::preload {
namespace {

/// What was touched, by lines of several sizes: which one says most depends on how many samples
/// there are.
struct Tables {
  sharing::LineTable<6> lines_of_64;
  sharing::LineTable<8> lines_of_256;
  sharing::LineTable<10> lines_of_1024;
  sharing::LineTable<12> pages;
  std::atomic<std::uint64_t> samples{0};   ///< that showed an access
  std::atomic<std::uint64_t> accesses{0};  ///< that they showed
  std::atomic<std::uint32_t> threads{0};  ///< 1 + the highest that was seen

  void note(std::uintptr_t address, std::uint32_t thread, bool is_write) noexcept {
    lines_of_64.touch(address, 1, thread, is_write);
    lines_of_256.touch(address, 1, thread, is_write);
    lines_of_1024.touch(address, 1, thread, is_write);
    pages.touch(address, 1, thread, is_write);
  }
};

constinit std::atomic<Tables*> the_tables{nullptr};
constinit std::atomic<bool> is_on{false};
constinit std::atomic<bool> is_by_timer{false};
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
    return std::any_of(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(now),
                       [&](const CodeRange& range) {
                         return range.begin <= address && address < range.end;
                       });
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

void note_accesses(Tables& tables, const mcontext_t& machine, std::uint32_t thread) noexcept {
  const auto code = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
  if (foreign_code.has(code)) return;
  std::uint64_t accesses = 0;
  sharing::ComingAccesses(code, registers_of(machine)).for_each([&](std::uintptr_t address, bool is_write) {
    tables.note(address, thread, is_write);
    ++accesses;
  });
  if (accesses == 0) return;
  tables.accesses.fetch_add(accesses, std::memory_order_relaxed);
  tables.samples.fetch_add(1, std::memory_order_relaxed);
}
#else
constexpr bool is_known_processor = false;

void note_accesses(Tables&, const mcontext_t&, std::uint32_t) noexcept {}
#endif

/// In the thread that computed for a while.
void take_sample(int, siginfo_t*, void* context) {
  const int error = errno;
  Tables* const tables = the_tables.load(std::memory_order_acquire);
  if (!is_on.load(std::memory_order_relaxed) || number_of_this < 0) {
    sharing::stop_clock();
  } else if (tables != nullptr) {
    note_accesses(*tables, static_cast<const ucontext_t*>(context)->uc_mcontext,
                static_cast<std::uint32_t>(number_of_this));
  }
  if (is_by_timer.load(std::memory_order_relaxed)) sharing::resume_call(context);
  errno = error;
}

/// What became of the signal before.
constinit std::atomic<sighandler_t> handler_before{SIG_DFL};

bool is_signal_free() noexcept {
  struct sigaction now {};
  if (sigaction(sharing::sample_signal(), nullptr, &now) != 0) return false;
  if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) return false;
  handler_before.store(now.sa_handler);
  return true;
}

/// The program wants the signal.
void give_up() {
  if (!is_on.exchange(false)) return;
  signal(sharing::sample_signal(), handler_before.load());
  log_line("KITH_THREADS: the program uses SIGURG: its threads are not sampled from here on");
}

template <unsigned line_bits>
std::string text_of(const sharing::LineTable<line_bits>& table, std::uint64_t samples,
                    std::uint32_t threads) {
  return sharing::matrix_text(
      threads,
      "how often thread j was seen to touch a line of " + std::to_string(1U << line_bits) +
          " bytes after thread i, where one of them wrote it; " + std::to_string(samples) +
          " samples",
      [&](std::uint32_t before, std::uint32_t after) { return table.count(before, after); });
}

}  // namespace

bool libkith_accesses_is_there() noexcept {
  return dlsym(RTLD_DEFAULT, "kith_accesses_take") != nullptr;
}

std::string start_sampling() {
  if (!is_known_processor) return "only instructions of x86-64 can be looked at";
  if (!is_signal_free()) return "the program uses SIGURG";
  void* const memory = mmap(nullptr, sizeof(Tables), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || !sharing::prepare_clocks()) return "the process has no room for it";
  the_tables.store(static_cast<Tables*>(memory), std::memory_order_release);  // zeros will do
  look_at_libraries();
  struct sigaction action {};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  if (sigaction(sharing::sample_signal(), &action, nullptr) != 0) return "SIGURG cannot be used";
  is_on.store(true);
  sample_this_thread(0);
  if (number_of_this < 0) {
    end_sampling();
    return "the system gives neither software events (perf_event_open) nor timers";
  }
  return {};
}

bool is_sampling() noexcept {
  return is_on.load(std::memory_order_relaxed);
}

void sample_this_thread(int number) noexcept {
  Tables* const tables = the_tables.load(std::memory_order_acquire);
  if (!is_sampling() || tables == nullptr || number < 0 ||
      static_cast<std::uint32_t>(number) >= sharing::most_threads)
    return;
  const sharing::Clock clock = sharing::start_clock();
  if (clock == sharing::Clock::none) return;
  if (clock == sharing::Clock::timer) is_by_timer.store(true);
  number_of_this = number;
  const auto threads = static_cast<std::uint32_t>(number) + 1;
  std::uint32_t before = tables->threads.load();
  while (before < threads && !tables->threads.compare_exchange_weak(before, threads)) {
  }
}

void look_at_libraries() noexcept {
  dl_iterate_phdr(add_foreign_code, nullptr);
  shield_signal(sharing::sample_signal(), give_up);
}

void end_sampling() noexcept {
  is_on.store(false);
}

std::string sampled_matrix() {
  const Tables* const tables = the_tables.load(std::memory_order_acquire);
  if (tables == nullptr || tables->threads.load() < 2) return {};
  const std::uint64_t samples = tables->samples.load();
  const std::uint32_t threads = tables->threads.load();
  // Small lines tell apart what merely lies side by side, where they are seen often enough.
  constexpr std::uint64_t often = 16;
  const auto is_seen_often = [&](const auto& table) { return samples >= often * table.lines(); };
  if (is_seen_often(tables->lines_of_64)) return text_of(tables->lines_of_64, samples, threads);
  if (is_seen_often(tables->lines_of_256)) return text_of(tables->lines_of_256, samples, threads);
  if (is_seen_often(tables->lines_of_1024)) return text_of(tables->lines_of_1024, samples, threads);
  return text_of(tables->pages, samples, threads);
}

}  // namespace kith::preload
