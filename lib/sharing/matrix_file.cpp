#include "sharing/matrix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "core/launcher.hpp"

namespace kith::sharing {
namespace {

bool write_all(int fd, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

bool write_out(const std::string& path, const std::string& text) {
  struct stat kind {};
  const bool is_there = stat(path.c_str(), &kind) == 0;
  if (is_there && !S_ISREG(kind.st_mode)) {
    const int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    return fd >= 0 && write_all(fd, text) && close(fd) == 0;
  }
  const std::string unfinished = path + ".tmp-" + std::to_string(getpid());
  const int fd = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  bool is_written = write_all(fd, text);
  if (close(fd) != 0) is_written = false;
  if (is_written && std::rename(unfinished.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  std::remove(unfinished.c_str());
  errno = error;
  return false;
}

std::string ending_of_rank() {
  const char* const rank = launched_rank();
  return rank == nullptr ? std::string() : std::string(".") + rank;
}

}  // namespace kith::sharing
