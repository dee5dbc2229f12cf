// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace kith {

/// From here on SIGINT, SIGTERM and SIGHUP remove the temporary files before they end the program
/// as they would have. For a program's main(); ignored signals stay ignored.
void remove_temporaries_on_signals();

/// A temporary file beside `path` that takes its name on commit(); destroyed before that, it leaves
/// nothing. Links are followed, also to a file that is yet to be made; an existing file's
/// permissions are kept. What is no regular file
/// (/dev/stdout, for which "-" stands, or a pipe) is written directly.
class AtomicFile {
 public:
  /// Throws Error (environment) when the file cannot be made.
  explicit AtomicFile(const std::filesystem::path& name);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write; the file closes it.
  int fd() const { return fd_; }
  /// Flushes to the disk and renames. Throws Error (environment).
  void commit();
  /// Throws Error (environment) "cannot write PATH: REASON".
  [[noreturn]] void fail(std::string_view reason) const;

 private:
  std::filesystem::path path_;       // as the user named it
  std::filesystem::path target_;     // links followed
  std::filesystem::path temporary_;  // empty when written directly
  int fd_ = -1;
};

}  // namespace kith
