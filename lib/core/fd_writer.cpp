#include "core/fd_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

namespace kith {

void FdWriter::text(std::string_view text) {
  while (!text.empty()) {
    if (used_ == sizeof buffer_) drain();
    const std::size_t part = std::min(text.size(), sizeof buffer_ - used_);
    std::memcpy(buffer_ + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
}

void FdWriter::number(std::uint64_t value) {
  constexpr std::size_t max_digits = 20;
  if (sizeof buffer_ - used_ < max_digits) drain();
  char* const end = std::to_chars(buffer_ + used_, buffer_ + sizeof buffer_, value).ptr;
  used_ = static_cast<std::size_t>(end - buffer_);
}

bool FdWriter::flush() {
  drain();
  return ok();
}

std::string FdWriter::error() const {
  return ok() ? std::string() : std::generic_category().message(errno_);
}

void FdWriter::drain() {
  std::size_t done = 0;
  while (done < used_ && errno_ == 0) {
    const ssize_t n = ::write(fd_, buffer_ + done, used_ - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n == 0) {
      errno_ = EIO;
    } else if (errno != EINTR) {
      errno_ = errno;
    }
  }
  used_ = 0;
}

}  // namespace kith
