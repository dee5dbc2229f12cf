#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include "core/plain_text.hpp"
#include "kith/error.hpp"
#include "progress.hpp"

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

void tell(std::string_view message) noexcept {
  hide_progress();
  try {
    write_all(STDERR_FILENO, "kith: " + printable(message) + '\n');
  } catch (...) {
    write_all(STDERR_FILENO, "kith: not enough memory for this message\n");
  }
}

std::string message_of(const Error& error) {
  return (error.names_argument() ? "--" : "") + std::string(error.what());
}

std::string scaled_bytes(std::uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{}", bytes) : short_bytes(bytes);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{}", bytes);
  return fmt::format("{} ({})", bytes, scaled_bytes(bytes));
}

}  // namespace kith::tools
