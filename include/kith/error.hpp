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
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// `where` is "FILE", "FILE:LINE" or an option ("--topology"); lines count from 1.
Error bad_input(std::string_view where, std::string_view expected, std::string_view found);

/// bad_input() at a line of a file.
Error bad_input_at(std::string_view file, std::size_t line, std::string_view expected,
                   std::string_view found);

/// What the environment lacks, in a sentence ("cannot write out.mtx: No space left on device").
Error environment_error(std::string_view message);

}  // namespace kith
