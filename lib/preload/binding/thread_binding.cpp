#include "binding/thread_binding.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "binding/open_mp_team.hpp"
#include "binding/sharing_processes.hpp"
#include "binding/thread_numbers.hpp"
#include "binding/thread_starts.hpp"
#include "comm/catching.hpp"
#include "core/cpu_list.hpp"
#include "core/launcher.hpp"
#include "core/log.hpp"
#include "core/plain_text.hpp"
#include "core/this_process.hpp"
#include "engine_client/engine_process.hpp"
#include "io/format/trace_text.hpp"
#include "mpi/succession.hpp"
#include "protocol/messages.hpp"
#include "protocol/settings.hpp"
#include "sampling/access_sampling.hpp"
#include "sampling/program_output.hpp"

namespace kith::preload {

std::optional<BindingPolicy> parse_binding(std::string_view text) {
  BindingPolicy binding;
  for (const auto& [ending, whole_cores] :
       {std::pair{std::string_view(":core"), true}, std::pair{std::string_view(":fine"), false}}) {
    if (!text.ends_with(ending)) continue;
    text.remove_suffix(ending.size());
    binding.whole_cores = whole_cores;
    break;
  }
  if (text.empty() || text.find(':') != std::string_view::npos) return std::nullopt;
  binding.policy = text;
  return binding;
}

namespace {

/// Sets what the thread may run on. False where the system refuses.
bool set_cpus(pid_t thread, const CpuSet& cpus) noexcept {
  if (cpus.empty()) return false;
  const std::size_t count = std::size_t{cpus.ranges().back().last} + 1;
  cpu_set_t* const set = CPU_ALLOC(count);
  if (set == nullptr) return false;
  const std::size_t size = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(size, set);
  for (const CpuSet::Range& range : cpus.ranges()) {
    for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) CPU_SET_S(cpu, size, set);
  }
  const bool is_set = sched_setaffinity(thread, size, set) == 0;
  CPU_FREE(set);
  return is_set;
}

/// The CPUs of thread i: entry i, modulo their number. Never changed, never freed.
using Plan = std::vector<CpuSet>;

enum class Stage { untried, planning, done };

// No lock: threads are created in signal handlers, in constructors of libraries that are being
// loaded, and beside a fork.
constinit std::atomic<Stage> stage{Stage::untried};
constinit std::atomic<const Plan*> the_plan{nullptr};  // null: nothing is bound
/// CPUs of the process before any thread was bound.
constinit std::atomic<const CpuSet*> cpus_before{nullptr};

const CpuSet& cpus_of_thread(const Plan& plan, int number) {
  return plan[static_cast<std::size_t>(number) % plan.size()];
}

std::string absolute(const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  std::array<char, 4096> folder{};
  if (getcwd(folder.data(), folder.size()) == nullptr) return path;
  return std::string(folder.data()) + "/" + path;
}

/// A policy that names a file here: the engine starts elsewhere.
std::string policy_or_file(const std::string& policy) {
  struct stat kind {};
  const bool is_file = stat(policy.c_str(), &kind) == 0 && S_ISREG(kind.st_mode);
  return is_file ? absolute(policy) : policy;
}

constinit std::atomic<int> program_rank{-1};

/// Else what the launcher says; 0 without a launcher.
std::uint32_t rank_of_this_process() {
  if (const int rank = program_rank.load(); rank >= 0) return static_cast<std::uint32_t>(rank);
  const char* const rank = launched_rank();
  return rank == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(rank, nullptr, 10));
}

/// The matrix itself, or that of `rank` in a trace.
std::string matrix_of(const std::string& name, std::uint32_t rank) {
  struct stat kind {};
  for (const std::string& path : {name, name + trace_names::directory_suffix}) {
    if (stat(path.c_str(), &kind) != 0) continue;
    if (!S_ISDIR(kind.st_mode)) return absolute(path);
    return absolute(path) + "/" + trace_names::thread_matrix(rank);
  }
  return absolute(name);
}

/// What only a thread that OpenMP knows can ask.
struct Team {
  std::uint32_t threads = 0;  ///< that the next team has; 0: not known
};

/// Those of the process when libkith.so was loaded; null: nobody asked for a binding then.
constinit std::atomic<const CpuSet*> cpus_at_start{nullptr};

bool open_mp_binds() {
  for (const char* const name :
       {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_HW_SUBSET"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

/// Asks, and sets cpus_before: where OpenMP has bound the main thread already, all of its places
/// count.
Team ask_open_mp() {
  if (cpus_before.load() == nullptr) {
    CpuSet cpus(allowed_cpus());
    const CpuSet* const at_start = cpus_at_start.load();
    if (at_start != nullptr && open_mp_binds()) cpus = united(cpus, *at_start);
    for (const std::uint32_t cpu : open_mp_cpus()) cpus = united(cpus, CpuSet{cpu});
    cpus_before.store(new CpuSet(cpus));
  }
  return {open_mp_threads()};
}

/// Asks the engine for the plan; null where it has none. `words` becomes the plan's policy, or the
/// reason why there is none. The call takes time, and may wait for locks of the dynamic linker.
std::unique_ptr<Plan> make_plan(const BindingPolicy& policy, const Settings& settings,
                                const Team& team, std::string& words, bool& is_bad_request) {
  protocol::ThreadBindingRequest request;
  request.policy = policy_or_file(policy.policy);
  request.whole_cores = policy.whole_cores;
  request.threads = team.threads;
  request.cpus = *cpus_before.load();
  const SharingProcesses sharing = find_sharing_processes(request.cpus);
  request.processes = sharing.count;
  request.position = sharing.position;
  request.matrix = matrix_of(settings.bind_matrix, rank_of_this_process());
  Engine engine;
  auto reply = engine.ask(request, settings.budget);
  is_bad_request = !reply.answer && !reply.is_silent;
  words = reply.answer ? std::move(reply.answer->policy) : std::move(reply.problem);
  if (!reply.answer) return nullptr;
  if (reply.answer->cpus.empty()) {
    words = "the engine named no CPUs";
    return nullptr;
  }
  return std::make_unique<Plan>(std::move(reply.answer->cpus));
}

/// Of all processes of the job one says where its threads are.
bool speaks_for_job() {
  return rank_of_this_process() == 0;
}
/// Of those of a host one says what went wrong.
bool speaks_for_host() {
  return local_rank_of_launcher() <= 0;
}

/// Of ranks for which a trace has no matrix the first one says so.
bool is_first_without_matrix(const std::string& name) {
  const std::uint32_t rank = rank_of_this_process();
  const auto lacks = [&](std::uint32_t one) {
    return access(matrix_of(name, one).c_str(), F_OK) != 0;
  };
  return !name.empty() && rank > 0 && lacks(rank) && !lacks(rank - 1);
}

void say_plan(const std::string& made_by, bool to_whole_cores, const Plan& plan) {
  constexpr std::size_t shown = 8;
  std::string line = "threads bound by " + made_by +
                     (to_whole_cores ? ", each to a core: CPU " : ", each to a CPU: ");
  for (std::size_t i = 0; i < std::min(shown, plan.size()); ++i) {
    line += (i == 0 ? "" : ", ") + cpu_list_text(plan[i], '+');
  }
  if (plan.size() > shown) line += ", ...";
  const bool is_one_of_many = launched_rank() != nullptr;
  log_line(line + " for threads 0, 1, ..." + (is_one_of_many ? " of rank 0" : ""));
}

/// By KITH_BIND.
void plan_by_environment(const Team& team) {
  const Settings settings = read_settings();
  if (settings.bind.empty()) return;
  std::string words =
      "KITH_BIND: expected POLICY, POLICY:core or POLICY:fine, found " + printable(settings.bind);
  bool is_bad_request = false;
  const auto policy = parse_binding(settings.bind);
  std::unique_ptr<Plan> plan;
  if (policy) plan = make_plan(*policy, settings, team, words, is_bad_request);
  if (!plan) {
    if (speaks_for_host()) {
      log_line("threads are not bound: " + words);
    } else if (is_first_without_matrix(settings.bind_matrix)) {
      log_line("threads of rank " + std::to_string(rank_of_this_process()) +
               " and those behind it are not bound: " + words);
    }
    return;
  }
  if (settings.verbose > 0 && speaks_for_job()) {
    say_plan(words, policy->whole_cores, *plan);
  }
  the_plan.store(plan.release(), std::memory_order_release);
}

/// Calls act() in a thread that lives only for it: signals of the program, its cancellation and the
/// smallness of its stack do not reach there. At once where that thread cannot be had.
template <class Act>
void apart(Act act) {
  const auto run = [](void* data) -> void* {
    done_without_exception(*static_cast<Act*>(data));
    return nullptr;
  };
  constexpr std::size_t stack = std::size_t{1} << 20;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  int cancels = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const bool is_started = pthread_create(&thread, &attributes, run, &act) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (is_started) {
    pthread_join(thread, nullptr);
  } else {
    run(&act);
  }
  pthread_setcancelstate(cancels, nullptr);
}

/// The thread that runs main.
void bind_main() noexcept {
  const Plan* const plan = the_plan.load(std::memory_order_acquire);
  if (plan != nullptr) set_cpus(getpid(), cpus_of_thread(*plan, 0));
}

/// The first that comes makes the plan; others that come meanwhile do not wait: they may hold what
/// it waits for.
void plan_once() {
  Stage expected = Stage::untried;
  if (!stage.compare_exchange_strong(expected, Stage::planning)) return;
  done_without_exception([] {
    const Team team = ask_open_mp();
    apart([&] { plan_by_environment(team); });
  });
  stage.store(Stage::done, std::memory_order_release);
  bind_main();
}

int reserve() {
  plan_once();
  const bool is_hopeless = stage.load(std::memory_order_acquire) == Stage::done &&
                           the_plan.load(std::memory_order_acquire) == nullptr;
  return is_hopeless && !is_sampling() ? -1 : take_lowest_number();
}

void begin(int number) {
  have_number(number);
  sample_this_thread(number);
  constexpr int longest_wait = 1000;  // ms; whoever plans may wait for the one that waits for us
  for (int waited = 0; stage.load(std::memory_order_acquire) == Stage::planning; ++waited) {
    if (waited == longest_wait) return;
    usleep(1000);
  }
  const Plan* const plan = the_plan.load(std::memory_order_acquire);
  if (plan != nullptr) set_cpus(0, cpus_of_thread(*plan, number));
}

void free_this() {
  const bool is_bound = the_plan.load(std::memory_order_acquire) != nullptr;
  const CpuSet* const before = cpus_before.load();
  if (is_bound && before != nullptr) set_cpus(0, *before);
}

void bind_again() {
  const Plan* const plan = the_plan.load(std::memory_order_acquire);
  const int number = own_number();
  if (plan != nullptr && number >= 0) set_cpus(0, cpus_of_thread(*plan, number));
}

constexpr ThreadStarts starts{reserve, begin, give_back_number, free_this, bind_again};

// A child has one thread, and other things to do: it goes back to all CPUs, unless the program
// itself has said where the thread runs.
void free_child() {
  const Plan* const plan = the_plan.load(std::memory_order_acquire);
  const int number = own_number();
  if (plan != nullptr && number >= 0) {
    const CpuSet now(allowed_cpus());
    if (now == cpus_of_thread(*plan, number)) free_this();
  }
  the_plan.store(nullptr);
  stage.store(Stage::done);
  begin_numbers_again();
  forget_sampling();
  leave_matrix_to_trace();
}

bool prepare() noexcept {
  static const bool is_prepared =
      prepare_thread_numbers() && pthread_atfork(nullptr, nullptr, free_child) == 0;
  return is_prepared;
}

/// A thread of the OpenMP team, or the calling one as number 0.
void bind_numbered(std::uint32_t number) {
  const Plan* const plan = the_plan.load(std::memory_order_acquire);
  if (plan == nullptr) return;
  set_cpus(0, cpus_of_thread(*plan, static_cast<int>(number)));
  change_number(static_cast<int>(number));
}

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_asked_by_environment() {
  return is_set("KITH_BIND");
}

/// What launchers leave on each host, and a program that is started without one starts for itself.
bool is_launcher() {
  constexpr std::array names{
      "mpirun", "mpiexec", "orterun", "orted",           "prterun",
      "prte",   "prted",   "srun",    "hydra_pmi_proxy", "hydra_bstrap_proxy"};
  return std::ranges::find(names, std::string_view(program_invocation_short_name)) != names.end();
}

/// KITH_THREADS=1 with KITH_TRACE.
void sample_by_environment() {
  if (!is_set("KITH_THREADS")) return;  // most processes: nothing is read for them
  if (is_launcher()) return;
  const Settings settings = read_settings();
  if (!settings.threads || settings.trace.empty()) return;
  std::string problem = prepare() ? "" : "the process has no room for a thread-specific key";
  if (problem.empty() && libkith_accesses_is_there()) return;
  if (problem.empty()) problem = write_matrix_at_end(settings.trace, settings.force);
  if (problem.empty()) problem = start_sampling();
  if (problem.empty()) return watch_thread_starts(starts);
  leave_matrix_to_trace();
  if (speaks_for_host()) log_line("KITH_THREADS: threads are not sampled: " + problem);
}

__attribute__((constructor)) void watch_linked_libraries() {
  static constinit bool has_run = false;
  if (std::exchange(has_run, true)) return;  // a dlopen() of us while the process ends
  if (mpi::successor.load(std::memory_order_acquire) != nullptr) return;  // that binds
  if (!is_asked_by_environment()) {
    stage.store(Stage::done);
    done_without_exception([] { sample_by_environment(); });
    return;
  }
  done_without_exception([] { sample_by_environment(); });
  if (!prepare()) {
    stage.store(Stage::done);
    return log_line("threads are not bound: the process has no room for a thread-specific key");
  }
  done_without_exception([] { cpus_at_start.store(new CpuSet(allowed_cpus())); });
  // LLVM's OpenMP library would let its threads run everywhere, behind our back; it reads this
  // later.
  setenv("KMP_AFFINITY", "disabled", 0);
  watch_thread_starts(starts);
}

}  // namespace

std::string bind_threads(const BindingPolicy& policy, bool& is_bad_request) {
  if (!prepare()) return "the process has no room for a thread-specific key";
  stage.store(Stage::done);  // this call counts, not the environment
  const Team team = ask_open_mp();
  std::string problem;
  std::unique_ptr<Plan> plan;
  apart([&] { plan = make_plan(policy, read_settings(), team, problem, is_bad_request); });
  if (!plan) return problem.empty() ? "out of memory" : problem;
  the_plan.store(plan.release(), std::memory_order_release);
  watch_thread_starts(starts);
  if (!on_open_mp_team(bind_numbered)) bind_numbered(0);
  return {};
}

void set_program_rank(int rank) noexcept {
  program_rank.store(rank);
}

void suspend_binding() noexcept {
  leave_matrix_to_trace();
  free_this();
}

void resume_binding() noexcept {
  const bool binds = is_asked_by_environment() && prepare();
  if (is_sampling()) look_at_libraries();
  if (binds || is_sampling()) watch_thread_starts(starts);  // what was loaded since
  bind_again();
}

void tell_if_none_was_bound() noexcept {
  if (!is_asked_by_environment() || stage.load(std::memory_order_acquire) != Stage::untried) return;
  done_without_exception([] {
    if (!speaks_for_job() || read_settings().verbose == 0) return;
    log_line("no threads are bound: the program has created none until MPI_Finalize");
  });
}

void retire_binding() noexcept {
  suspend_binding();
  retire_sampling();
  stage.store(Stage::done);
  the_plan.store(nullptr, std::memory_order_release);
}

std::vector<std::uint32_t> cpus_of_process() {
  const CpuSet* const before = cpus_before.load();
  if (before == nullptr || the_plan.load() == nullptr) return allowed_cpus();
  std::vector<std::uint32_t> cpus;
  for (const CpuSet::Range& range : before->ranges()) {
    for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace kith::preload
