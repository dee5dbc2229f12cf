// Text files line by line, and the numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kith/error.hpp"

namespace kith {

/// Reads through a buffer of a megabyte that grows to the longest line; works on pipes too. A byte
/// order mark (UTF-8) at the start is skipped. A NUL byte is an error of its line: no text has one.
class LineReader {
 public:
  /// Enough for any line of a few words.
  static constexpr std::size_t short_line = std::size_t{1} << 20;

  /// Throws Error (input) when the file cannot be read.
  explicit LineReader(const std::filesystem::path& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// From here on longer lines are errors. Before this is called, a line may be as long as a
  /// regular file, and 256 MiB in what has no length (a pipe, a device).
  /// Returns the limit before.
  std::size_t limit_lines(std::size_t bytes) { return std::exchange(longest_, bytes); }
  /// The next line without its end ("\n" or "\r\n"), valid until the next call. False at the end.
  /// Throws Error (input).
  bool next(std::string_view& line);
  /// The first bytes of the file (up to a megabyte), NULs included, before any next().
  std::string_view head();

  /// Number of the line that next() gave last, from 1.
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }
  /// Length of a regular file, without its mark; nothing for a pipe.
  std::optional<std::uint64_t> bytes() const { return bytes_; }
  /// No more than this many items of `item_bytes` can be in the file: what to reserve memory for.
  std::uint64_t at_most(std::uint64_t announced, std::uint64_t item_bytes) const;

  /// "FILE:LINE: expected ..., found ..." at the present line; of an empty file at line 1.
  Error error(std::string_view expected, std::string_view found) const;

 private:
  void skip_mark();
  bool refill();
  void check_line(std::size_t length) const;

  std::string file_;
  int fd_ = -1;
  std::optional<std::uint64_t> bytes_;
  std::size_t line_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::optional<std::size_t> nul_;  // where in the buffer the first one is
  std::size_t longest_;
  bool started_ = false;
  bool ended_ = false;
};

/// `text` in quotation marks for a message: cut after 40 characters, control characters escaped.
std::string in_quotes(std::string_view text);

/// The words of a line; blanks and tabs separate.
class Words {
 public:
  explicit Words(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}
  /// Empty at the end.
  std::string_view next() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    const char* const begin = at_;
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
  const char* at_;
  const char* end_;
};

/// True when there is nothing but blanks.
bool is_blank(std::string_view line);

/// A whole number at most `limit`. Throws the reader's error; `what` says what was expected
/// ("a row number").
std::uint64_t read_count(const LineReader& in, std::string_view word, std::string_view what,
                         std::uint64_t limit = UINT64_MAX);

/// Throws the reader's error unless the line has no further word.
void expect_line_end(const LineReader& in, Words& words);

}  // namespace kith
