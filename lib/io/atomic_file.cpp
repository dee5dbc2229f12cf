#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string>
#include <system_error>

#include "core/fd_writer.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// Names of temporary files for the signal handler, which may not allocate or lock. A file more
/// than there is room for is only not removed by signals.
struct Temporary {
  std::atomic<bool> taken = false;
  std::atomic<bool> there = false;
  char path[PATH_MAX];
};
Temporary temporaries[8];
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP};

void remove_temporaries(int signal) {
  for (Temporary& temporary : temporaries) {
    if (temporary.there) ::unlink(temporary.path);
  }
  // Set anew before the handler returns: then the signal ends the program with its own status.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Holds those signals back in this thread while a file and its name in the list disagree.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : fatal_signals) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

void enlist(const std::string& path) {
  if (path.size() >= sizeof Temporary::path) return;
  for (Temporary& temporary : temporaries) {
    if (temporary.taken.exchange(true)) continue;
    path.copy(temporary.path, path.size());
    temporary.path[path.size()] = '\0';
    temporary.there = true;
    return;
  }
}

void strike_off(const std::string& path) {
  for (Temporary& temporary : temporaries) {
    if (!temporary.there || path != temporary.path) continue;
    temporary.there = false;
    temporary.taken = false;
    return;
  }
}

/// Where `path` leads when links are followed, the last of which may lead to nothing. errno is
/// ELOOP, and the answer empty, where they go round.
std::filesystem::path followed(std::filesystem::path path) {
  constexpr int most_links = 40;  // as in Linux
  for (int links = 0; links <= most_links; ++links) {
    std::error_code error;
    const auto next = std::filesystem::read_symlink(path, error);
    if (error) return path;  // no link
    path = path.parent_path() / next;
  }
  errno = ELOOP;
  return {};
}

constexpr const char* stdout_name = "/dev/stdout";

/// A new file with a name that no file has: NAME.tmp-PID-N in the same directory.
int open_temporary(const std::filesystem::path& target, std::filesystem::path& temporary) {
  for (int attempt = 0;; ++attempt) {
    temporary = target;
    temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& name)
    : path_(name == "-" ? stdout_name : name.native()), target_(path_) {
  const std::filesystem::path& path = path_;
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) fail(reason_of(EISDIR));
  // /dev/stdout may lead to a regular file, but what others write there must stay.
  if ((exists && !S_ISREG(existing.st_mode)) || path.native().starts_with("/dev/")) {
    // Of another user's pipe only what is open already may be written.
    fd_ = path == stdout_name ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                              : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd_ < 0) fail(reason_of(errno));
    return;
  }
  target_ = followed(path);
  if (target_.empty()) fail(reason_of(errno));
  const SignalsHeld held;
  fd_ = open_temporary(target_, temporary_);
  if (fd_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail(reason_of(error));
  }
  enlist(temporary_.native());
  // Where this is not allowed, the file keeps the permissions that every new file gets.
  if (exists && ::fchmod(fd_, existing.st_mode & 07777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  strike_off(temporary_.native());
}

void AtomicFile::commit() {
  // Pipes and devices cannot be flushed; that is no failure.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) {
    fail(reason_of(errno));
  }
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) fail(reason_of(errno));
  if (temporary_.empty()) return;
  const SignalsHeld held;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(reason_of(errno));
  strike_off(temporary_.native());
  temporary_.clear();
}

void AtomicFile::fail(std::string_view reason) const {
  throw environment_error("cannot write " + path_.string() + ": " + std::string(reason));
}

void remove_temporaries_on_signals() {
  struct sigaction removal {};
  removal.sa_handler = remove_temporaries;
  sigemptyset(&removal.sa_mask);
  for (const int signal : fatal_signals) sigaddset(&removal.sa_mask, signal);
  for (const int signal : fatal_signals) {
    struct sigaction before {};
    const bool is_usual =
        ::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL;
    if (is_usual) ::sigaction(signal, &removal, nullptr);
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  FdWriter out(file.fd());
  out.text(text);
  if (!out.flush()) file.fail(out.error());
  file.commit();
}

}  // namespace kith
