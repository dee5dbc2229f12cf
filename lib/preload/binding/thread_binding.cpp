#include "binding/thread_binding.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "binding/open_mp_team.hpp"
#include "binding/sharing_processes.hpp"
#include "binding/thread_starts.hpp"
#include "comm/catching.hpp"
#include "core/log.hpp"
#include "core/this_process.hpp"
#include "engine_client/engine_process.hpp"
#include "io/format/trace_text.hpp"
#include "protocol/messages.hpp"
#include "protocol/settings.hpp"

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

/// The numbers of the threads that live; 0 is the main thread's for ever.
class ThreadNumbers {
 public:
  int take_lowest() {
    const auto free = std::ranges::find(holders_, 0U);
    const auto number = free - holders_.begin();
    if (free == holders_.end()) holders_.push_back(0);
    ++holders_[static_cast<std::size_t>(number)];
    return static_cast<int>(number);
  }
  void take(std::size_t number) {
    if (number >= holders_.size()) holders_.resize(number + 1);
    ++holders_[number];
  }
  void give_back(std::size_t number) { --holders_[number]; }
  void begin_again() { holders_.assign(1, 1U); }

 private:
  std::vector<std::uint32_t> holders_{1};  // threads with each number: two, where a team said so
};

/// What the process knows of its binding. All members are used under the mutex.
struct Binding {
  std::mutex mutex;
  bool was_tried = false;    ///< KITH_BIND was looked at
  CpuSet before;             ///< CPUs of the process before any thread was bound; empty: none was
  std::vector<CpuSet> plan;  ///< of thread i: entry i, modulo their number; empty: nothing is bound
  ThreadNumbers numbers;
};

Binding& binding() {
  static auto* const one = new Binding;  // threads may end after everything else
  return *one;
}

/// Holds 1 + the number of a thread that has one, and gives it back when the thread ends.
pthread_key_t number_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, [](void* value) {
      Binding& state = binding();
      const std::lock_guard guard(state.mutex);
      state.numbers.give_back(reinterpret_cast<std::uintptr_t>(value) - 1);
    });
    return made;
  }();
  return key;
}

void remember_number(std::size_t number) {
  pthread_setspecific(number_key(), reinterpret_cast<void*>(number + 1));
}

std::string absolute(const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  std::array<char, 4096> folder{};
  if (getcwd(folder.data(), folder.size()) == nullptr) return path;
  return std::string(folder.data()) + "/" + path;
}

/// A policy that names a file here: the engine starts elsewhere.
std::string policy_or_file(const std::string& policy) {
  return access(policy.c_str(), R_OK) == 0 ? absolute(policy) : policy;
}

/// That the launcher says; 0 without a launcher.
std::uint32_t rank_of_this_process() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* const rank = std::getenv(name)) {
      return static_cast<std::uint32_t>(std::strtoul(rank, nullptr, 10));
    }
  }
  return 0;
}

/// The matrix itself, or that of this rank in a trace.
std::string matrix_of_this_process(const std::string& name) {
  struct stat kind {};
  for (const std::string& path : {name, name + trace_names::directory_suffix}) {
    if (stat(path.c_str(), &kind) != 0) continue;
    if (!S_ISDIR(kind.st_mode)) return absolute(path);
    return absolute(path) + "/" + trace_names::thread_matrix(rank_of_this_process());
  }
  return absolute(name);
}

/// Empty, or why there is no plan.
std::string make_plan(const BindingPolicy& policy, const Settings& settings, Binding& state,
                      bool& is_bad_request) {
  protocol::ThreadBindingRequest request;
  request.policy = policy_or_file(policy.policy);
  request.whole_cores = policy.whole_cores;
  request.threads = open_mp_threads();
  request.cpus = state.before.empty() ? CpuSet(allowed_cpus()) : state.before;
  const SharingProcesses sharing = find_sharing_processes(request.cpus);
  request.processes = sharing.count;
  request.position = sharing.position;
  request.matrix = matrix_of_this_process(settings.bind_matrix);
  Engine engine;
  auto reply = engine.ask(request, settings.budget);
  is_bad_request = !reply.answer && !reply.is_silent;
  if (!reply.answer) return reply.problem;
  if (reply.answer->cpus.empty()) return "the engine named no CPUs";
  if (state.before.empty()) state.before = request.cpus;
  state.plan = std::move(reply.answer->cpus);
  return {};
}

const CpuSet& cpus_of_thread(const Binding& state, std::size_t number) {
  return state.plan[number % state.plan.size()];
}

/// "0-3", "5"
std::string text_of(const CpuSet& cpus) {
  std::string text;
  for (const CpuSet::Range& range : cpus.ranges()) {
    if (!text.empty()) text += '+';
    text += std::to_string(range.first);
    if (range.last > range.first) text += '-' + std::to_string(range.last);
  }
  return text;
}

/// Of all processes of the job one says where its threads are.
bool speaks_for_job() {
  return rank_of_this_process() == 0;
}
/// Of those of a host one says what went wrong.
bool speaks_for_host() {
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (const char* const value = std::getenv(name)) return std::strcmp(value, "0") == 0;
  }
  return true;
}

void say_plan(const BindingPolicy& policy, const Binding& state) {
  constexpr std::size_t shown = 8;
  std::string line = "threads bound by " + policy.policy +
                     (policy.whole_cores ? ", each to a core: CPU " : ", each to a CPU: ");
  for (std::size_t i = 0; i < std::min(shown, state.plan.size()); ++i) {
    line += (i == 0 ? "" : ", ") + text_of(state.plan[i]);
  }
  if (state.plan.size() > shown) line += ", ...";
  log_line(line + " for threads 0, 1, ...");
}

/// By KITH_BIND, once. Under the mutex.
void plan_by_environment(Binding& state) {
  if (state.was_tried) return;
  state.was_tried = true;
  const Settings settings = read_settings();
  if (settings.bind.empty()) return;
  std::string problem =
      "KITH_BIND: expected POLICY, POLICY:core or POLICY:fine, found " + settings.bind;
  bool is_bad_request = false;
  const auto policy = parse_binding(settings.bind);
  if (policy) problem = make_plan(*policy, settings, state, is_bad_request);
  if (!problem.empty()) {
    if (speaks_for_host()) log_line("threads are not bound: " + problem);
    return;
  }
  if (settings.verbose > 0 && speaks_for_job()) say_plan(*policy, state);
}

/// The thread that runs main.
void bind_main(const Binding& state) noexcept {
  if (!state.plan.empty()) set_cpus(getpid(), cpus_of_thread(state, 0));
}

// A child has one thread, which may be of use to another program: it goes back to all CPUs.
void free_child() {
  Binding& state = binding();
  if (!state.before.empty()) set_cpus(0, state.before);
  state.numbers.begin_again();
  state.mutex.unlock();
}

void watch_forks() {
  static const bool is_done = [] {
    pthread_atfork([] { binding().mutex.lock(); }, [] { binding().mutex.unlock(); }, free_child);
    return true;
  }();
  (void)is_done;
}

int reserve() {
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  int number = -1;
  done_without_exception([&] {
    const bool is_first_thread = !state.was_tried;
    plan_by_environment(state);
    if (state.plan.empty()) return;
    if (is_first_thread) bind_main(state);
    number = state.numbers.take_lowest();
  });
  return number;
}

void begin(int number) {
  remember_number(static_cast<std::size_t>(number));
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  if (!state.plan.empty()) set_cpus(0, cpus_of_thread(state, static_cast<std::size_t>(number)));
}

void cancel(int number) {
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  state.numbers.give_back(static_cast<std::size_t>(number));
}

constexpr ThreadStarts starts{reserve, begin, cancel};

/// A thread of the OpenMP team, or the calling one as number 0.
void bind_numbered(std::uint32_t number) {
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  set_cpus(0, cpus_of_thread(state, number));
  if (getpid() == gettid()) return;
  void* const before = pthread_getspecific(number_key());
  if (before != nullptr) {
    state.numbers.give_back(reinterpret_cast<std::uintptr_t>(before) - 1);
  }
  done_without_exception([&] { state.numbers.take(number); });
  remember_number(number);
}

bool is_asked_by_environment() {
  const char* const value = std::getenv("KITH_BIND");
  return value != nullptr && *value != '\0';
}

__attribute__((constructor)) void watch_linked_libraries() {
  if (!is_asked_by_environment()) return;
  watch_forks();
  watch_thread_starts(starts);
}

}  // namespace

std::string bind_threads(const BindingPolicy& policy, bool& is_bad_request) {
  {
    Binding& state = binding();
    const std::lock_guard guard(state.mutex);
    state.was_tried = true;  // this call counts, not the environment
    std::string problem = make_plan(policy, read_settings(), state, is_bad_request);
    if (!problem.empty()) return problem;
  }
  watch_forks();
  watch_thread_starts(starts);
  if (!on_open_mp_team(bind_numbered)) bind_numbered(0);
  return {};
}

void suspend_binding() noexcept {
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  if (!state.before.empty()) set_cpus(getpid(), state.before);
}

void resume_binding() noexcept {
  const bool is_asked = is_asked_by_environment();
  if (is_asked) watch_thread_starts(starts);
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  done_without_exception([&] {
    if (is_asked) plan_by_environment(state);
    bind_main(state);
  });
}

std::vector<std::uint32_t> cpus_of_process() {
  Binding& state = binding();
  const std::lock_guard guard(state.mutex);
  if (state.before.empty()) return allowed_cpus();
  std::vector<std::uint32_t> cpus;
  for (const CpuSet::Range& range : state.before.ranges()) {
    for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace kith::preload
