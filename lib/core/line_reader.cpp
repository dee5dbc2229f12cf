#include "core/line_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>

#include "core/parse_number.hpp"

namespace kith {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;
/// Where no length of a file bounds it. A row of ten million numbers fits.
constexpr std::size_t longest_of_a_stream = std::size_t{1} << 28;

Error cannot_read(const std::string& file, int error) {
  return bad_input(file, "a readable file", std::generic_category().message(error));
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path)
    : file_(path.string()), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (fd_ < 0) throw cannot_read(file_, errno);
  struct stat status {};
  if (::fstat(fd_, &status) != 0 || S_ISDIR(status.st_mode)) {
    ::close(fd_);
    throw cannot_read(file_, EISDIR);
  }
  if (S_ISREG(status.st_mode)) bytes_ = static_cast<std::uint64_t>(status.st_size);
  longest_ = bytes_ ? std::numeric_limits<std::size_t>::max() : longest_of_a_stream;
  // One byte more than a short file: then the first read sees all, and the second the end.
  buffer_.resize(static_cast<std::size_t>(
      std::clamp<std::uint64_t>(bytes_.value_or(buffer_size) + 1, 4096, buffer_size)));
}

LineReader::~LineReader() {
  ::close(fd_);
}

bool LineReader::refill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    if (nul_) *nul_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  ssize_t n = 0;
  do {
    n = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
  } while (n < 0 && errno == EINTR);
  if (n < 0) throw cannot_read(file_, errno);
  ended_ = n == 0;
  if (!nul_) {
    const char* const text = buffer_.data();
    const void* const nul = std::memchr(text + end_, 0, static_cast<std::size_t>(n));
    if (nul != nullptr) nul_ = static_cast<std::size_t>(static_cast<const char*>(nul) - text);
  }
  end_ += static_cast<std::size_t>(n);
  return !ended_;
}

/// Of the line that begins at begin_ and is at least so long.
void LineReader::check_line(std::size_t length) const {
  if (nul_ && *nul_ - begin_ < length) {
    throw bad_input_at(file_, line_ + 1, "text",
                       "a NUL byte in " + in_quotes({buffer_.data() + begin_, length}));
  }
  if (length > longest_) {
    throw bad_input_at(file_, line_ + 1, "a line of at most " + std::to_string(longest_) + " bytes",
                       "a longer one");
  }
}

void LineReader::skip_mark() {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  started_ = true;
  while (end_ < mark.size() && refill()) {
  }
  if (!std::string_view(buffer_.data(), end_).starts_with(mark)) return;
  begin_ = mark.size();
  if (bytes_) *bytes_ -= std::min<std::uint64_t>(*bytes_, mark.size());
}

bool LineReader::next(std::string_view& line) {
  if (!started_) skip_mark();
  std::size_t searched = 0;
  const char* newline = nullptr;
  for (;;) {
    const char* const text = buffer_.data() + begin_;
    newline =
        static_cast<const char*>(std::memchr(text + searched, '\n', end_ - begin_ - searched));
    searched = end_ - begin_;
    if (newline == nullptr) check_line(searched);
    if (newline != nullptr || !refill()) break;
  }
  if (newline == nullptr && begin_ == end_) return false;
  const char* const text = buffer_.data() + begin_;
  std::size_t length =
      newline == nullptr ? end_ - begin_ : static_cast<std::size_t>(newline - text);
  check_line(length);
  begin_ += newline == nullptr ? length : length + 1;
  if (length > 0 && text[length - 1] == '\r') --length;
  line = {text, length};
  ++line_;
  return true;
}

std::string_view LineReader::head() {
  if (!started_) skip_mark();
  while (end_ - begin_ < buffer_size && refill()) {
  }
  return {buffer_.data() + begin_, std::min(end_ - begin_, buffer_size)};
}

std::uint64_t LineReader::at_most(std::uint64_t announced, std::uint64_t item_bytes) const {
  return std::min(announced, bytes_.value_or(0) / item_bytes + 1);
}

Error LineReader::error(std::string_view expected, std::string_view found) const {
  return bad_input_at(file_, std::max<std::size_t>(line_, 1), expected, found);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  static constexpr char hex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      out += "\\x";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  out += text.size() > longest ? "...\"" : "\"";
  return out;
}

bool is_blank(std::string_view line) {
  return Words(line).next().empty();
}

std::uint64_t read_count(const LineReader& in, std::string_view word, std::string_view what,
                         std::uint64_t limit) {
  const auto value = parse_unsigned(word);
  if (value && *value <= limit) return *value;
  std::string expected(what);
  if (limit != UINT64_MAX) expected += " of at most " + std::to_string(limit);
  throw in.error(expected, word.empty() ? "the end of the line" : in_quotes(word));
}

void expect_line_end(const LineReader& in, Words& words) {
  const std::string_view extra = words.next();
  if (!extra.empty()) throw in.error("the end of the line", in_quotes(extra));
}

}  // namespace kith
