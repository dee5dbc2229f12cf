#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "options.hpp"

namespace kith::tools {
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

}  // namespace kith::tools
