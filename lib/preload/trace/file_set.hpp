// The files of one directory that is being written: complete, or removed again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kith::runtime {

/// Whether files are on the disk when they are closed: a machine may stop right after a rename.
enum class Flush : bool { no, yes };

/// The first failure stays and stops the rest. Names are relative to the directory; "" is itself.
class FileSet {
 public:
  explicit FileSet(std::string directory, Flush flush = Flush::yes)
      : directory_(std::move(directory)), flush_(flush) {}

  void make_directory(const std::string& name);
  void text(const std::string& name, std::string_view content);

  /// A new file's descriptor; -1 after a failure. Give it back to close_file().
  int new_file(const std::string& name);
  /// Flushes and closes. `why`: what went wrong in writing it; empty: nothing.
  void close_file(int fd, const std::string& name, const std::string& why);

  void fail(const std::string& problem);
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

  /// Removes what was made, newest first; needs no descriptor.
  void remove_all();

 private:
  std::string path(const std::string& name) const;
  void cannot_write(const std::string& name, const std::string& why);

  std::string directory_;
  Flush flush_;
  std::string problem_;
  std::vector<std::string> made_;
};

}  // namespace kith::runtime
