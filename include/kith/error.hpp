// The one error type of the engine, with a message made for the user.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kith {

/// Who has to act. The values are the exit codes of the program `kith`.
enum class ErrorKind {
  internal = 1,     ///< a bug of ours
  input = 2,        ///< the user's file or option is wrong
  environment = 3,  ///< the machine lacks something: a file can't be written, memory ran out
};

/// Thrown inside the engine; the tool turns it into an exit code, a job into "unreordered" and one
/// line on stderr. what() is one line: "WHERE: expected X, found Y".
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, bool names_argument = false)
      : std::runtime_error(message), kind_(kind), names_argument_(names_argument) {}
  ErrorKind kind() const noexcept { return kind_; }
  /// Whether WHERE is an argument, as of bad_argument().
  bool names_argument() const noexcept { return names_argument_; }

 private:
  ErrorKind kind_;
  bool names_argument_;
};

/// `where` is "FILE", "FILE:LINE" or what else the user knows it by; lines count from 1.
Error bad_input(std::string_view where, std::string_view expected, std::string_view found);

/// Of what the caller asked for: `argument` is the name of an option of `kith` without its dashes
/// ("topology", "set threshold"), which the program puts before it.
Error bad_argument(std::string_view argument, std::string_view expected, std::string_view found);

/// bad_input() at a line of a file.
Error bad_input_at(std::string_view file, std::size_t line, std::string_view expected,
                   std::string_view found);

/// What the environment lacks, in a sentence ("cannot write out.mtx: No space left on device").
Error environment_error(std::string_view message);

}  // namespace kith
