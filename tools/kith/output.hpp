// Results to stdout, messages to stderr, and how text looks there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/plain_text.hpp"
#include "kith/error.hpp"

namespace CLI {
class App;
}

namespace kith::tools {

/// Writes a result to stdout. Throws Error (environment) when that fails (full disk, closed pipe).
void print(std::string_view text);

/// One message to stderr: "kith: MESSAGE", made printable().
void tell(std::string_view message) noexcept;

/// What the user is told of an error: arguments are named as options of the command line.
std::string message_of(const Error& error);

/// From here on a closed pipe is a write error with a message instead of a silent death.
void ignore_closed_pipes();
/// For a program that takes our place: undoes ignore_closed_pipes().
void restore_closed_pipes();

/// Bytes with one decimal and a unit: "1.5 MiB", "512".
std::string scaled_bytes(std::uint64_t bytes);

/// Bytes with a unit beside the exact number: "1572864 (1.5 MiB)".
std::string bytes_text(std::uint64_t bytes);

// The other end of an output: a terminal with its width, characters and colours, or a file; lines of
// text and bars for it.

enum class ColorChoice { automatic, always, never };

/// Adds --color.
void add_color_option(CLI::App& app, ColorChoice& choice);

/// How text may look that goes to a file descriptor.
struct Terminal {
  bool is_terminal = false;
  bool is_dumb = true;       ///< TERM: knows no escape sequences
  bool has_colors = false;   ///< 256 of them, by escape sequences
  bool has_unicode = false;  ///< the locale's characters are UTF-8
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// Colours by `choice`; without a choice where it is a terminal that TERM does not call dumb, and
/// NO_COLOR is not set (no-color.org). Unicode by LC_ALL, LC_CTYPE, LANG. Columns and rows by the
/// terminal, else 80 and 24.
Terminal terminal_of(int fd, ColorChoice choice = ColorChoice::automatic);

/// The looks of text in a result; each leaves it alone where the terminal has no colours.
enum class Look { strong, faint, good, bad };
std::string painted(const Terminal& terminal, Look look, std::string_view text);

inline constexpr std::string_view plain_code = "\x1b[0m";

/// How many columns a terminal gives to `text`, UTF-8 of characters that take one column each.
std::size_t columns_of(std::string_view text);

/// The beginning of `text`, which is UTF-8 or not, of at most `most` columns.
std::string_view cut_to_columns(std::string_view text, std::size_t most);

/// `text` in lines of at most `width` columns, broken at blanks, the second and all further ones
/// behind `indent` blanks. It begins in column `begin`, which is `indent` where it is not given; a
/// word longer than a line stands alone. No line break at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t begin);

/// A bar as long as `ratio` where `most` (at least 1) takes all `columns`, with a mark at 1 where
/// it ends before. Good looks below 1, bad ones above; eighths of a character where the terminal
/// has Unicode. No blanks behind it.
std::string ratio_bar(double ratio, double most, std::size_t columns, const Terminal& terminal);

}  // namespace kith::tools
