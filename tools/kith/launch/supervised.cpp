#include "launch/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <new>
#include <string>
#include <system_error>

#include "kith/error.hpp"

namespace kith::tools {
namespace {

using Clock = Supervision::Clock;

constexpr std::chrono::seconds patience_after_term{10};
/// For what is still in the pipe when the child has ended; others may hold it open.
constexpr std::chrono::seconds patience_after_end{2};
/// Another thread may take the signal of the child's end: then it is seen this much later.
constexpr std::chrono::milliseconds longest_sleep{1000};

Error cannot(const std::string& what, int error) {
  return environment_error(
      fmt::format("cannot {}: {}", what, std::generic_category().message(error)));
}

/// Signals come through a descriptor as long as this lives.
class SignalsByDescriptor {
 public:
  SignalsByDescriptor() {
    sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set_, signal);
    sigprocmask(SIG_BLOCK, &set_, &before_);
    fd_ = ::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~SignalsByDescriptor() {
    ::close(fd_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsByDescriptor(const SignalsByDescriptor&) = delete;
  SignalsByDescriptor& operator=(const SignalsByDescriptor&) = delete;

  int fd() const { return fd_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t set_{};
  sigset_t before_{};
  int fd_ = -1;
};

std::vector<char*> pointers(const Words& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

class Child {
 public:
  Child(const Words& words, const Words& environment, const sigset_t& signals) {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw cannot("make a pipe", errno);
    output_ = ends[0];
    const int error = spawn(words, environment, signals, ends[1]);
    ::close(ends[1]);
    if (error != 0) {
      ::close(output_);
      throw cannot("start " + words.front(), error);
    }
  }
  ~Child() {
    end();
    ::close(output_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int output() const { return output_; }
  bool ended() const { return ended_; }
  int status() const { return status_; }
  void signal(int number) const {
    if (!ended_) ::kill(pid_, number);
  }
  /// With WNOHANG, or 0 to wait.
  void wait(int options) {
    int status = 0;
    pid_t found = -1;
    while (!ended_ && (found = ::waitpid(pid_, &status, options)) < 0 && errno == EINTR) {
    }
    if (ended_ || found != pid_) return;
    ended_ = true;
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  void end() {
    const auto deadline = Clock::now() + patience_after_term;
    signal(SIGTERM);
    for (wait(WNOHANG); !ended_ && Clock::now() < deadline; wait(WNOHANG)) ::usleep(10000);
    signal(SIGKILL);
    wait(0);
  }

  int spawn(const Words& words, const Words& environment, const sigset_t& signals, int write_end) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0) {
      throw std::bad_alloc();
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setsigmask(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    auto argv = pointers(words);
    auto envp = pointers(environment);
    const int error =
        posix_spawnp(&pid_, words.front().c_str(), &actions, &attributes, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
  }

  int output_ = -1;
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

/// Passes on what came by the descriptor.
void pass_signals_on(const SignalsByDescriptor& signals, const Child& child) {
  signalfd_siginfo info;
  while (::read(signals.fd(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const bool is_for_us = info.ssi_signo == SIGCHLD;
    const bool is_of_terminal = info.ssi_code == SI_KERNEL;  // the child has it already
    if (!is_for_us && !is_of_terminal) child.signal(static_cast<int>(info.ssi_signo));
  }
}

/// Cuts what is read into lines.
class LineCutter {
 public:
  explicit LineCutter(const std::function<void(std::string_view)>& on_line) : on_line_(on_line) {}

  /// False at the end.
  bool read_from(int fd) {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0) return errno == EINTR;
    rest_.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
      std::string_view line(rest_.data() + begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = end + 1;
      on_line_(line);
    }
    rest_.erase(0, begin);
    return count > 0;
  }

 private:
  const std::function<void(std::string_view)>& on_line_;
  std::string rest_;
};

int milliseconds_until(std::optional<Clock::time_point> when) {
  const std::int64_t most = longest_sleep.count();
  if (!when) return static_cast<int>(most);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*when - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, most));
}

}  // namespace

Ending Supervision::run(const Words& words, const Words& environment) {
  const SignalsByDescriptor signals;
  Child child(words, environment, signals.before());
  LineCutter lines(on_line);
  Ending ending;
  bool output_open = true;
  std::optional<Clock::time_point> last_look;  // at the output of a child that has ended
  while (!child.ended() || output_open) {
    std::array<pollfd, 2> waiting{pollfd{output_open ? child.output() : -1, POLLIN, 0},
                                  pollfd{signals.fd(), POLLIN, 0}};
    const int ready = ::poll(waiting.data(), waiting.size(),
                             milliseconds_until(child.ended() ? last_look : deadline));
    if (ready < 0 && errno != EINTR) throw cannot("wait for the launcher", errno);
    if (waiting[0].revents != 0 && ready > 0) output_open = lines.read_from(child.output());
    pass_signals_on(signals, child);
    child.wait(WNOHANG);
    if (child.ended()) {
      if (last_look && Clock::now() >= *last_look) break;
      if (!last_look) last_look = Clock::now() + patience_after_end;
    } else if (deadline && Clock::now() >= *deadline) {
      child.signal(ending.timed_out ? SIGKILL : SIGTERM);
      deadline = Clock::now() + patience_after_term;
      ending.timed_out = true;
    }
  }
  ending.status = child.status();
  return ending;
}

}  // namespace kith::tools
