#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "io/format/fd_writer.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// A new file with a name that nobody has: NAME.tmp-PID-N in the same directory.
int open_temporary(const std::filesystem::path& target, std::filesystem::path& temporary) {
  for (int attempt = 0;; ++attempt) {
    temporary = target;
    temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : path_(path), target_(path) {
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) fail(reason_of(EISDIR));
  // /dev/stdout may lead to a regular file, but what others write there must stay.
  if ((exists && !S_ISREG(existing.st_mode)) || path.native().starts_with("/dev/")) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd_ < 0) fail(reason_of(errno));
    return;
  }
  if (exists) {
    std::error_code ignored;
    const auto followed = std::filesystem::canonical(path, ignored);
    if (!followed.empty()) target_ = followed;
  }
  fd_ = open_temporary(target_, temporary_);
  if (fd_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail(reason_of(error));
  }
  // Where this is not allowed, the file keeps the permissions that every new file gets.
  if (exists && ::fchmod(fd_, existing.st_mode & 07777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
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
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(reason_of(errno));
  temporary_.clear();
}

void AtomicFile::fail(std::string_view reason) const {
  throw environment_error("cannot write " + path_.string() + ": " + std::string(reason));
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  FdWriter out(file.fd());
  out.text(text);
  if (!out.flush()) file.fail(out.error());
  file.commit();
}

}  // namespace kith
