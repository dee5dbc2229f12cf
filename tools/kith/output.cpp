#include "output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "core/parse_number.hpp"
#include "core/plain_text.hpp"
#include "kith/error.hpp"
#include "options.hpp"
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

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// By the locale's name: one that is not installed here still says what the terminal shows.
bool locale_is_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(variable(name));
    if (value.empty()) continue;
    std::erase(value, '-');
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
    return value.find("utf8") != std::string::npos;
  }
  return false;
}

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// As near to `eighths` as the characters come; something wherever there is anything.
std::string bar_text(std::size_t eighths, bool has_unicode) {
  static constexpr std::array parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!has_unicode)
    return std::string(eighths == 0 ? 0 : std::max<std::size_t>((eighths + 4) / 8, 1), '#');
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + parts[eighths % 8];
}

}  // namespace

void add_color_option(CLI::App& app, ColorChoice& choice) {
  add_choice(app, "--color", choice,
             {{"auto", ColorChoice::automatic},
              {"always", ColorChoice::always},
              {"never", ColorChoice::never}},
             "Colours: auto (default: where standard output is a terminal, unless NO_COLOR is "
             "set or TERM is dumb), always or never");
}

Terminal terminal_of(int fd, ColorChoice choice) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(fd) == 1;
  terminal.is_dumb = variable("TERM").empty() || variable("TERM") == "dumb";
  terminal.has_unicode = locale_is_utf8();
  const bool usual = terminal.is_terminal && !terminal.is_dumb && variable("NO_COLOR").empty();
  terminal.has_colors =
      choice == ColorChoice::always || (choice == ColorChoice::automatic && usual);
  winsize size{};
  if (terminal.is_terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
    if (size.ws_row > 0) terminal.rows = size.ws_row;
  }
  return terminal;
}

std::string painted(const Terminal& terminal, Look look, std::string_view text) {
  static constexpr std::string_view codes[] = {"\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m"};
  if (!terminal.has_colors) return std::string(text);
  return fmt::format("{}{}{}", codes[static_cast<std::size_t>(look)], text, plain_code);
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string_view cut_to_columns(std::string_view text, std::size_t most) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_character(text[i]) && ++columns > most) return text.substr(0, i);
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  return wrapped(text, width, indent, indent);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t begin) {
  std::string out;
  std::size_t column = begin;
  bool at_begin = true;
  for (const std::string_view word : split(text, ' ')) {
    const std::size_t length = columns_of(word);
    if (!at_begin && column + 1 + length > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (!at_begin) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    at_begin = false;
  }
  return out;
}

std::string ratio_bar(double ratio, double most, std::size_t columns, const Terminal& terminal) {
  if (columns == 0) return "";
  const double scale = 8 * static_cast<double>(columns) / std::max({most, ratio, 1.0});
  auto eighths = static_cast<std::size_t>(std::llround(ratio * scale));
  if (ratio > 0) eighths = std::max<std::size_t>(eighths, 1);
  std::string text = bar_text(eighths, terminal.has_unicode);
  const std::size_t length = columns_of(text);
  if (ratio < 1) text = painted(terminal, Look::good, text);
  if (ratio > 1) text = painted(terminal, Look::bad, text);
  // The mark stands in the last character of a bar of 1.
  const auto one = std::max<std::size_t>(static_cast<std::size_t>(std::lround(scale / 8)), 1);
  if (length >= one) return text;
  return text + std::string(one - length - 1, ' ') +
         painted(terminal, Look::faint, terminal.has_unicode ? "│" : "|");
}

}  // namespace kith::tools
