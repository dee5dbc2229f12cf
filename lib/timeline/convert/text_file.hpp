// Lines of text into a file, quickly; the file appears whole or not at all.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace kith::timeline {

/// Throws Error (environment) where the file cannot be written.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path);
  /// Removes what was not closed.
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  TextFile& operator<<(std::string_view text);
  TextFile& operator<<(std::uint64_t number);
  /// Writes what is left and gives the file its name.
  void close();

 private:
  void flush();

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< path_ itself where that is a pipe or a device
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
};

}  // namespace kith::timeline
