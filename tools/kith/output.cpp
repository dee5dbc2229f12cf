#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include "kith/error.hpp"

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
  if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
    throw environment_error("cannot write to standard output: " +
                            std::generic_category().message(error));
  }
}

void tell(std::string_view message) noexcept {
  try {
    std::string line = "kith: ";
    for (const char c : message) {
      const auto code = static_cast<unsigned char>(c);
      line += code < 0x20 || code == 0x7f ? ' ' : c;
    }
    line += '\n';
    write_all(STDERR_FILENO, line);
  } catch (...) {
    write_all(STDERR_FILENO, "kith: not enough memory for this message\n");
  }
}

Progress::Progress() : visible_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::string_view doing) noexcept {
  if (!visible_) return;
  clear();
  write_all(STDERR_FILENO, "kith: ");
  write_all(STDERR_FILENO, doing.substr(0, 70));
  shown_ = true;
}

void Progress::clear() noexcept {
  if (shown_) write_all(STDERR_FILENO, "\r\x1b[K");
  shown_ = false;
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{}", bytes);
  double scaled = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (scaled >= 1024 && unit + 1 < units.size()) {
    scaled /= 1024;
    ++unit;
  }
  return fmt::format("{} ({:.1f} {})", bytes, scaled, units[unit]);
}

}  // namespace kith::tools
