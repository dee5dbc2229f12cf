#include "runtime/engine_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

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

// The request as the child's standard input: a file in memory, so nobody blocks or gets SIGPIPE.
int request_file(const std::string& bytes) {
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
  for (char** item = environ; *item != nullptr; ++item) {
    const std::string_view text(*item);
    bool keep = true;
    for (const std::string_view prefix : dropped) keep = keep && !text.starts_with(prefix);
    if (keep) out.push_back(*item);
  }
  out.push_back(nullptr);
  return out;
}

struct Start {
  const char* program;
  char* const* environment;
  int input;
  int output;
  int errors;  ///< where the engine's own messages go: its answer says what the user must know
};

void close_all_above_stderr() {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < most; ++fd) close(fd);
}

// Runs in the child, which shares the parent's memory until execve: system calls only.
int child_main(void* argument) {
  const auto* const start = static_cast<const Start*>(argument);
  struct sigaction ignore_nothing {};
  ignore_nothing.sa_handler = SIG_DFL;
  for (int signal_number = 1; signal_number < NSIG; ++signal_number) {
    sigaction(signal_number, &ignore_nothing, nullptr);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Above 2 first: the two may already be standard descriptors.
  const int input = fcntl(start->input, F_DUPFD, 3);
  const int output = fcntl(start->output, F_DUPFD, 3);
  if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0) _exit(127);
  if (start->errors >= 0) dup2(start->errors, 2);
  close_all_above_stderr();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const char* const arguments[] = {start->program, "engine", nullptr};
  execve(start->program, const_cast<char* const*>(arguments), start->environment);
  _exit(127);
}

// clone() instead of posix_spawn: with no exit signal the application gets no SIGCHLD, and its own
// wait calls cannot reap this child.
pid_t start_child(Start& start) {
  constexpr std::size_t stack_size = 256 * 1024;
  const auto stack = std::make_unique<char[]>(stack_size);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto top = reinterpret_cast<std::uintptr_t>(stack.get() + stack_size);
  top &= ~static_cast<std::uintptr_t>(15);
  const pid_t child =
      clone(child_main, reinterpret_cast<void*>(top), CLONE_VM | CLONE_VFORK, &start);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return child;
}

enum class ReadEnd { complete, late, failed };

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
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

EngineAnswer problem(std::string text) {
  return {false, {}, std::move(text)};
}

// How the child ended, in words; empty when it ended well.
std::string reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, __WALL) < 0) {
    if (errno != EINTR) return {};
  }
  if (WIFSIGNALED(status)) {
    return "the engine died of signal " + std::to_string(WTERMSIG(status));
  }
  if (WEXITSTATUS(status) == 127) return "the engine could not be started";
  if (WEXITSTATUS(status) != 0) {
    return "the engine ended with status " + std::to_string(WEXITSTATUS(status));
  }
  return {};
}

EngineAnswer ask(const Exchange& request, std::chrono::milliseconds budget) {
  const auto deadline = Clock::now() + budget;
  const std::string program = engine_path();
  if (program.empty()) return problem("the program kith was not found beside libkith.so");
  const Descriptor input(request_file(request.encode()));
  if (input.get() < 0) return problem(errno_text("no memory for the engine's request"));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return problem(errno_text("no pipe to the engine"));
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);

  const std::vector<char*> environment = engine_environment();
  const Descriptor errors(open("/dev/null", O_WRONLY | O_CLOEXEC));
  Start start{program.c_str(), environment.data(), input.get(), write_end.get(), errors.get()};
  const pid_t child = start_child(start);
  if (child < 0) return problem(errno_text("the engine could not be started"));
  write_end.reset();

  std::string bytes;
  const ReadEnd end = read_until(read_end.get(), deadline, bytes);
  if (end != ReadEnd::complete) kill(child, SIGKILL);
  const std::string death = reap(child);
  if (end == ReadEnd::late) {
    return problem("the engine took longer than " + std::to_string(budget.count()) + " ms");
  }
  if (end == ReadEnd::failed || !death.empty()) {
    return problem(death.empty() ? "the engine's answer could not be read" : death);
  }
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
