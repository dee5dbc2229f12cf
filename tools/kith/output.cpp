#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include "kith/error.hpp"
#include "progress.hpp"
#include "report/plain_text.hpp"

namespace kith::tools {
namespace {

/// 0, or errno of the write that failed.
int write_all(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Bytes of the UTF-8 character at the start of `text`, by its first byte; 0 where what should
/// continue it does not.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xC2 && lead <= 0xDF ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

using Handler = void (*)(int);
Handler pipe_handler_before = SIG_DFL;

}  // namespace

void ignore_closed_pipes() {
  pipe_handler_before = std::signal(SIGPIPE, SIG_IGN);
}

void restore_closed_pipes() {
  std::signal(SIGPIPE, pipe_handler_before);
}

void print(std::string_view text) {
  hide_progress();
  if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
    throw environment_error("cannot write to standard output: " +
                            std::generic_category().message(error));
  }
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const auto code = static_cast<unsigned char>(text[i]);
    const bool c1_alone = length == 0 && code >= 0x80 && code < 0xA0;
    const bool c1 = length == 2 && code == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    const bool direction = direction_control_bytes(text.substr(i)) > 0;
    if (code < 0x20 || code == 0x7F || c1_alone || c1 || direction) {
      out += ' ';
    } else {
      out += text.substr(i, std::max<std::size_t>(length, 1));
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

void tell(std::string_view message) noexcept {
  hide_progress();
  try {
    write_all(STDERR_FILENO, "kith: " + printable(message) + '\n');
  } catch (...) {
    write_all(STDERR_FILENO, "kith: not enough memory for this message\n");
  }
}

std::string scaled_bytes(std::uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{}", bytes) : short_bytes(bytes);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{}", bytes);
  return fmt::format("{} ({})", bytes, scaled_bytes(bytes));
}

}  // namespace kith::tools
