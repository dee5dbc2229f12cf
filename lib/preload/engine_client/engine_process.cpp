#include "engine_client/engine_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "core/process_handle.hpp"

namespace kith::preload {
namespace {

using Clock = std::chrono::steady_clock;

std::string errno_text(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
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
  int channel;  ///< becomes its standard input and output
  int errors;   ///< where the engine's own messages go: its answer says what the user must know
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
  // Above 2 first: it may already be a standard descriptor.
  const int channel = fcntl(start->channel, F_DUPFD, 3);
  if (channel < 0 || dup2(channel, 0) < 0 || dup2(channel, 1) < 0) {
    start->error = errno;
    _exit(127);
  }
  if (start->errors >= 0) dup2(start->errors, 2);
  close_descriptors_from(STDERR_FILENO + 1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const char* const arguments[] = {start->program, nullptr};
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
  // Not filled with zeros: that takes milliseconds where many ranks share a core.
  Stack() : memory_(std::make_unique_for_overwrite<char[]>(size)) {}
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
  posix_spawn_file_actions_adddup2(&actions, start.channel, 0);
  posix_spawn_file_actions_adddup2(&actions, start.channel, 1);
  if (start.errors >= 0) posix_spawn_file_actions_adddup2(&actions, start.errors, 2);
  const char* const arguments[] = {start.program, nullptr};
  start.error = posix_spawn(&start.engine, start.program, &actions, nullptr,
                            const_cast<char* const*>(arguments), start.environment);
  posix_spawn_file_actions_destroy(&actions);
  start.is_child = start.error == 0;
  if (start.is_child) start.handle = ProcessHandle::of(start.engine);
  return start.is_child;
}

// More than a hundred bytes for each of a million ranks: no answer of ours is longer.
constexpr std::uint64_t longest_answer = std::uint64_t{1} << 27;

constexpr std::string_view ended_early = "the engine ended without an answer";
constexpr std::string_view not_understood = "the engine's answer was not understood: ";

/// One request and its answer, over the socket to the engine.
class Talk {
 public:
  Talk(int fd, std::chrono::milliseconds budget)
      : fd_(fd), budget_(budget), deadline_(Clock::now() + budget) {}

  /// Until all is written, or an answer comes before. Empty, or what went wrong.
  std::string send_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const short ready = wait_for(POLLIN | POLLOUT);
      if (ready == 0) return late();
      if ((ready & POLLIN) != 0) break;
      const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n < 0 && errno != EINTR && errno != EAGAIN) break;  // it has ended: what did it say?
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
  }

  /// The answer, and nothing of what may come behind it.
  std::string receive_message(std::string& out) {
    std::string problem = receive(protocol::Header::size, out);
    if (!problem.empty()) return problem;
    std::uint64_t body = 0;
    try {
      body = protocol::unpack_header(out).body;
    } catch (const std::runtime_error& error) {
      return std::string(not_understood) + error.what();
    }
    if (body > longest_answer) return "the engine's answer has no end";
    return receive(protocol::Header::size + body, out);
  }

 private:
  /// Reads until `out` has `size` bytes.
  std::string receive(std::uint64_t size, std::string& out) {
    std::array<char, 65536> buffer;
    while (out.size() < size) {
      if (wait_for(POLLIN) == 0) return late();
      const auto most = std::min<std::uint64_t>(buffer.size(), size - out.size());
      const ssize_t n = recv(fd_, buffer.data(), most, MSG_DONTWAIT);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0 && out.empty()) return std::string(ended_early);
      if (n <= 0) return std::string(not_understood) + "it ends early";
      out.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return {};
  }

  /// What is possible, or 0 where the time is over.
  short wait_for(int events) const {
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      if (left <= 0) return 0;
      pollfd one{fd_, static_cast<short>(events), 0};
      if (poll(&one, 1, static_cast<int>(std::min<long long>(left, 1000))) > 0) return one.revents;
    }
  }
  std::string late() const {
    return "the engine took longer than " + std::to_string(budget_.count()) + " ms";
  }

  int fd_;
  std::chrono::milliseconds budget_;
  Clock::time_point deadline_;
};

}  // namespace

std::string Engine::start() {
  const std::string program = engine_path();
  if (program.empty()) return "the program kith-engine was not found beside libkith.so";
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return errno_text("no socket to the engine");
  }
  const int errors = open("/dev/null", O_WRONLY | O_CLOEXEC);
  Start child{program.c_str(), nullptr, ends[1], errors, nullptr};
  try {
    const std::vector<char*> environment = engine_environment();
    child.environment = environment.data();
    const bool started = needs_plain_child() ? start_plain_child(child) : start_engine(child);
    if (!started && child.error == 0) child.error = EIO;
  } catch (const std::bad_alloc&) {
    child.error = ENOMEM;
  }
  close(ends[1]);
  if (errors >= 0) close(errors);
  if (child.error != 0) {
    close(ends[0]);
    child.handle.close();
    errno = child.error;
    return errno_text("the engine could not be started");
  }
  socket_ = ends[0];
  process_ = child.handle;
  child_ = child.is_child ? child.engine : -1;
  return {};
}

void Engine::end() noexcept {
  is_asked_ahead_ = false;
  if (socket_ < 0) return;
  close(socket_);  // the engine reads to the end of its requests, and is done
  socket_ = -1;
  if (child_ >= 0) {
    process_.kill();
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  process_.close();
}

void Engine::kill() noexcept {
  if (socket_ >= 0) process_.kill();  // or its own alarm ends it
  end();
}

Engine::Bytes Engine::exchange(std::string request, std::chrono::milliseconds budget) {
  if (is_asked_ahead_) end();  // its answer would be taken for this one
  Bytes bytes;
  if (socket_ < 0) bytes.problem = start();
  if (!bytes.problem.empty()) return bytes;
  Talk talk(socket_, budget);
  bytes.problem = talk.send_all(request);
  std::string().swap(request);
  if (bytes.problem.empty()) bytes.problem = talk.receive_message(bytes.answer);
  if (!bytes.problem.empty()) kill();
  return bytes;
}

bool Engine::send_ahead(std::string_view request, std::chrono::milliseconds budget) {
  if (is_asked_ahead_) end();
  if (socket_ < 0 && !start().empty()) return false;
  if (Talk(socket_, budget).send_all(request).empty()) return true;
  kill();
  return false;
}

Engine::Bytes Engine::receive_ahead(std::chrono::milliseconds budget) {
  is_asked_ahead_ = false;
  Bytes bytes;
  bytes.problem = Talk(socket_, budget).receive_message(bytes.answer);
  if (!bytes.problem.empty()) kill();
  return bytes;
}

std::string engine_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&engine_path), &info) == 0) return {};
  std::array<char, 4096> resolved;
  if (realpath(info.dli_fname, resolved.data()) == nullptr) return {};
  std::string folder(resolved.data());
  folder.resize(folder.rfind('/'));
  // lib/libkith.so or lib/<architecture>/libkith.so, with libexec beside lib; or as configured.
  for (const char* const candidate :
       {"/../libexec/kith", "/../../libexec/kith", "/" KITH_LIBEXECDIR_FROM_LIBDIR "/kith", ""}) {
    std::string path = folder + candidate + "/kith-engine";
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

}  // namespace kith::preload
