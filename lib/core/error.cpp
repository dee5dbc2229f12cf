#include "kith/error.hpp"

namespace kith {

Error bad_input(std::string_view where, std::string_view expected, std::string_view found) {
  std::string message;
  message.append(where).append(": expected ").append(expected).append(", found ").append(found);
  return {ErrorKind::input, message};
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
