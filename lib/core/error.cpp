#include "kith/error.hpp"

namespace kith {
namespace {

/// What strangers wrote, fit for one line: control characters escaped, the end of long texts cut.
std::string printable(std::string_view text) {
  constexpr std::size_t longest = 400;
  static constexpr char hex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out.append("\\x") += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  return text.size() > longest ? out + "..." : out;
}

std::string message_of(std::string_view where, std::string_view expected, std::string_view found) {
  std::string message;
  message.append(printable(where)).append(": expected ").append(printable(expected));
  message.append(", found ").append(printable(found));
  return message;
}

}  // namespace

Error bad_input(std::string_view where, std::string_view expected, std::string_view found) {
  return {ErrorKind::input, message_of(where, expected, found)};
}

Error bad_argument(std::string_view argument, std::string_view expected, std::string_view found) {
  return {ErrorKind::input, message_of(argument, expected, found), true};
}

Error bad_input_at(std::string_view file, std::size_t line, std::string_view expected,
                   std::string_view found) {
  std::string where(file);
  where.append(":").append(std::to_string(line));
  return bad_input(where, expected, found);
}

Error environment_error(std::string_view message) {
  return {ErrorKind::environment, std::string(message)};
}

}  // namespace kith
