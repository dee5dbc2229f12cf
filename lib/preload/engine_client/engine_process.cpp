#include "engine_client/engine_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/process_handle.hpp"
#include "core/this_process.hpp"

namespace kith::runtime {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

std::string errno_text(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

// The request as the child's standard input: a file in memory, so no process blocks or gets
// SIGPIPE.
int request_file(const std::string& bytes) {
  const FileSizeSignalBlocked guard;
  const int fd = memfd_create("kith-request", MFD_CLOEXEC);
  if (fd < 0) return -1;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      close(fd);
      return -1;
    }
    done += static_cast<std::size_t>(n);
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

// The engine is no MPI process: what would make it one, or load us into it, is left out.
std::vector<char*> engine_environment() {
  static constexpr std::array<std::string_view, 10> dropped{
      "LD_PRELOAD=", "OMPI_", "OPAL_", "ORTE_",  "PMIX_",
      "PMI_",        "PRTE_", "MPIR_", "HYDRA_", "HYDI_"};
  std::vector<char*> out;
  for (char** item = environ; item != nullptr && *item != nullptr; ++item) {
    const std::string_view text(*item);
    bool keep = true;
    for (const std::string_view prefix : dropped) keep = keep && !text.starts_with(prefix);
    if (keep) out.push_back(*item);
  }
  out.push_back(nullptr);
  return out;
}

/// What the two children below need, and what they leave: they share our memory.
struct Start {
  const char* program;
  char* const* environment;
  int input;
  int output;
  int errors;  ///< where the engine's own messages go: its answer says what the user must know
  void* engine_stack;
  pid_t engine = -1;
  ProcessHandle handle = {};
  int error = 0;  ///< errno of what could not be done
  bool is_child = false;
};

// Runs in the engine's process until execve: system calls only.
int engine_main(void* argument) {
  auto* const start = static_cast<Start*>(argument);
  struct sigaction defaults {};
  defaults.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &defaults, nullptr);
  // Above 2 first: the two may already be standard descriptors.
  const int input = fcntl(start->input, F_DUPFD, 3);
  const int output = fcntl(start->output, F_DUPFD, 3);
  if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0) {
    start->error = errno;
    _exit(127);
  }
  if (start->errors >= 0) dup2(start->errors, 2);
  close_descriptors_from(STDERR_FILENO + 1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const char* const arguments[] = {start->program, "engine", nullptr};
  execve(start->program, const_cast<char* const*>(arguments), start->environment);
  start->error = errno;
  _exit(127);
}

// Starts the engine and ends at once, so that the engine is not a child of this process.
int parent_main(void* argument) {
  auto* const start = static_cast<Start*>(argument);
  start->engine = clone(engine_main, start->engine_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
  if (start->engine < 0) {
    start->error = errno;
  } else {
    start->handle = ProcessHandle::of(start->engine);  // it is our child until we end
  }
  _exit(0);
}

class Stack {
 public:
  Stack() : memory_(std::make_unique<char[]>(size)) {}
  void* top() const {
    const auto end = reinterpret_cast<std::uintptr_t>(memory_.get() + size);
    return reinterpret_cast<void*>(end & ~static_cast<std::uintptr_t>(15));
  }

 private:
  static constexpr std::size_t size = 256 * 1024;
  std::unique_ptr<char[]> memory_;
};

// Not posix_spawn: a child of ours would raise SIGCHLD when it ends and could be reaped by the
// application's own wait calls. Here a child without exit signal (it never calls exec, which would
// set one) makes the engine and ends; both calls of clone return only when their child has gone on.
bool start_engine(Start& start) {
  const Stack parent_stack;
  const Stack engine_stack;
  start.engine_stack = engine_stack.top();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // CLONE_FILES: the descriptor of the engine's process is to be ours.
  const pid_t parent =
      clone(parent_main, parent_stack.top(), CLONE_VM | CLONE_VFORK | CLONE_FILES, &start);
  if (parent < 0) start.error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (parent > 0) {
    while (waitpid(parent, nullptr, __WCLONE) < 0 && errno == EINTR) {
    }
  }
  return start.error == 0;
}

// Valgrind knows no clone but that of fork and vfork, and ThreadSanitizer takes ours for a fork of
// the application: under them the engine is an ordinary child.
bool needs_plain_child() {
  const char* const preload = std::getenv("LD_PRELOAD");
  if (preload != nullptr && std::strstr(preload, "vgpreload") != nullptr) return true;
  return dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
}

bool start_plain_child(Start& start) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, start.input, 0);
  posix_spawn_file_actions_adddup2(&actions, start.output, 1);
  if (start.errors >= 0) posix_spawn_file_actions_adddup2(&actions, start.errors, 2);
  const char* const arguments[] = {start.program, "engine", nullptr};
  start.error = posix_spawn(&start.engine, start.program, &actions, nullptr,
                            const_cast<char* const*>(arguments), start.environment);
  posix_spawn_file_actions_destroy(&actions);
  start.is_child = start.error == 0;
  if (start.is_child) start.handle = ProcessHandle::of(start.engine);
  return start.is_child;
}

enum class ReadEnd { complete, late, failed, too_long };

// More than a hundred bytes for each of a million ranks: no answer of ours is longer.
constexpr std::size_t longest_answer = std::size_t{1} << 27;

ReadEnd read_until(int fd, Clock::time_point deadline, std::string& out) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ReadEnd::late;
    pollfd ready{fd, POLLIN, 0};
    const int events = poll(&ready, 1, static_cast<int>(std::min<long long>(left, 1000)));
    if (events < 0 && errno != EINTR) return ReadEnd::failed;
    if (events <= 0) continue;
    const ssize_t n = read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ReadEnd::failed;
    if (n == 0) return ReadEnd::complete;
    if (out.size() + static_cast<std::size_t>(n) > longest_answer) return ReadEnd::too_long;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

EngineAnswer problem(std::string text) {
  return {false, {}, std::move(text)};
}

EngineAnswer ask(const Exchange& request, std::chrono::milliseconds budget) {
  const auto deadline = Clock::now() + budget;
  const std::string program = engine_path();
  if (program.empty()) return problem("the program kith was not found beside libkith.so");
  Exchange whole = request;
  whole.set("seconds", std::to_string(budget.count() / 1000 + 1));
  const Descriptor input(request_file(whole.encode()));
  if (input.get() < 0) return problem(errno_text("no memory for the engine's request"));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return problem(errno_text("no pipe to the engine"));
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);

  const std::vector<char*> environment = engine_environment();
  const Descriptor errors(open("/dev/null", O_WRONLY | O_CLOEXEC));
  Start start{program.c_str(), environment.data(), input.get(),
              write_end.get(), errors.get(),       nullptr};
  const bool started = needs_plain_child() ? start_plain_child(start) : start_engine(start);
  write_end.reset();
  if (!started) {
    start.handle.close();
    errno = start.error;
    return problem(errno_text("the engine could not be started"));
  }

  std::string bytes;
  const ReadEnd end = read_until(read_end.get(), deadline, bytes);
  if (end != ReadEnd::complete) start.handle.kill();  // or its own alarm ends it
  start.handle.close();
  if (start.is_child) {
    while (waitpid(start.engine, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (end == ReadEnd::late) {
    return problem("the engine took longer than " + std::to_string(budget.count()) + " ms");
  }
  if (end == ReadEnd::failed) return problem("the engine's answer could not be read");
  if (end == ReadEnd::too_long) return problem("the engine's answer has no end");
  if (bytes.empty()) return problem("the engine ended without an answer");
  auto answer = Exchange::decode(bytes);
  if (!answer) return problem("the engine's answer was not understood");
  return {true, std::move(*answer), {}};
}

}  // namespace

std::string engine_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&engine_path), &info) == 0) return {};
  std::array<char, 4096> resolved;
  if (realpath(info.dli_fname, resolved.data()) == nullptr) return {};
  std::string folder(resolved.data());
  folder.resize(folder.rfind('/'));
  // lib/libkith.so or lib/<architecture>/libkith.so, with bin beside lib.
  for (const char* const candidate : {"/../bin/kith", "/../../bin/kith", "/kith"}) {
    std::string path = folder + candidate;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

EngineAnswer ask_engine(const Exchange& request, std::chrono::milliseconds budget) noexcept {
  try {
    return ask(request, budget);
  } catch (...) {
    return {false, {}, "out of memory"};
  }
}

}  // namespace kith::runtime
