#include "core/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/process_handle.hpp"

namespace kith {
namespace {

// All that there are, as a list; ready before any of them is made.
constinit std::mutex list_lock;
constinit ForkSafeMutex* first = nullptr;

}  // namespace

ForkSafeMutex::ForkSafeMutex() {
  const std::lock_guard guard(list_lock);
  after_ = first;
  if (first != nullptr) first->before_ = this;
  first = this;
}

ForkSafeMutex::~ForkSafeMutex() {
  const std::lock_guard guard(list_lock);
  if (after_ != nullptr) after_->before_ = before_;
  (before_ != nullptr ? before_->after_ : first) = after_;
}

ForkGuard::ForkGuard() {
  list_lock.lock();
  for (ForkSafeMutex* each = first; each != nullptr; each = each->after_) each->lock();
}

ForkGuard::~ForkGuard() {
  for (ForkSafeMutex* each = first; each != nullptr; each = each->after_) each->unlock();
  list_lock.unlock();
}

namespace {

// A message is its length and so many bytes; this length alone says that the work returned.
using Length = std::uint64_t;
constexpr Length end_of_work = std::numeric_limits<Length>::max();

void write_all(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = write(to, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

void write_length(int to, Length length) {
  char bytes[sizeof length];
  std::memcpy(bytes, &length, sizeof length);
  write_all(to, bytes, sizeof bytes);
}

void die_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(1);  // it has died before
}

void be_silent() {
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(fatal, SIG_DFL);
}

[[noreturn]] void live_as_child(const std::function<void(const SendToParent&)>& work, int to,
                                pid_t parent) noexcept {
  die_with(parent);
  to = fcntl(to, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // where the parent has no standard files
  if (to < 0) _exit(1);
  be_silent();
  close_descriptors_from(STDERR_FILENO + 1, to);  // other people's pipes would stay open
  work([to](std::string_view message) {
    write_length(to, message.size());
    write_all(to, message.data(), message.size());
  });
  write_length(to, end_of_work);
  _exit(0);
}

/// Reads the messages that the child sends.
class Messages {
 public:
  /// Reads what is there; false when no more will come.
  bool read_from(int from) {
    constexpr std::size_t most = 65536;
    char bytes[most];
    const ssize_t got = read(from, bytes, most);
    if (got < 0) return errno == EINTR;
    if (got == 0) return false;
    pending_.append(bytes, static_cast<std::size_t>(got));
    while (take_one()) {
    }
    return true;
  }

  bool work_returned() const { return work_returned_; }
  std::string take_last() { return std::move(last_); }

 private:
  bool take_one() {
    Length length = 0;
    if (pending_.size() < sizeof length) return false;
    std::memcpy(&length, pending_.data(), sizeof length);
    if (length == end_of_work) {
      work_returned_ = true;
      return false;
    }
    if (pending_.size() - sizeof length < length) return false;
    last_ = pending_.substr(sizeof length, length);
    pending_.erase(0, sizeof length + length);
    return true;
  }

  std::string pending_;
  std::string last_;
  bool work_returned_ = false;
};

/// The child as the parent holds it: neither it nor the pipe is left behind.
class Child {
 public:
  Child(pid_t pid, int from) : pid_(pid), handle_(ProcessHandle::of(pid)), from_(from) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    close(from_);
    if (!is_reaped_) kill_and_reap();
    handle_.close();
  }

  /// False when the parent gave up first.
  bool read_to_end(Messages& messages, const std::function<bool()>& give_up) const {
    constexpr int slice = 20;  // milliseconds
    while (!give_up()) {
      pollfd waiting{from_, POLLIN, 0};
      const int ready = poll(&waiting, 1, slice);
      if (ready < 0 && errno != EINTR) return true;
      if (ready > 0 && !messages.read_from(from_)) return true;
    }
    return false;
  }

  void kill_and_reap() {
    handle_.kill();  // somebody else may have waited for it
    reap();
  }

  /// The signal that ended it, 0 for none; also 0 where somebody else waits for our children.
  int reap() {
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(pid_, &status, 0)) < 0 && errno == EINTR) {
    }
    is_reaped_ = true;
    return ended == pid_ && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  pid_t pid_;
  ProcessHandle handle_;
  int from_;
  bool is_reaped_ = false;
};

pid_t fork_with_locks_free() {
  const ForkGuard guard;
  return fork();
}

}  // namespace

ChildEnd run_in_child(const std::function<void(const SendToParent&)>& work,
                      const std::function<bool()>& give_up) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t parent = getpid();
  const pid_t pid = fork_with_locks_free();
  if (pid == 0) live_as_child(work, ends[1], parent);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return {};
  }
  Child child(pid, ends[0]);
  Messages messages;
  ChildEnd end;
  if (!child.read_to_end(messages, give_up)) {
    child.kill_and_reap();
    end.how = ChildEnd::How::abandoned;
  } else {
    end.signal = child.reap();
    end.how = messages.work_returned() ? ChildEnd::How::finished : ChildEnd::How::crashed;
  }
  end.message = messages.take_last();
  return end;
}

}  // namespace kith
