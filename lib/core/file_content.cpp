#include "core/file_content.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstddef>

namespace kith {

std::string file_content(const std::string& path) {
  std::string text;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  std::array<char, 4096> piece;
  for (ssize_t size = 0; (size = read(fd, piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  close(fd);
  return text;
}

std::string first_line_of(const std::string& path) {
  const std::string content = file_content(path);
  return content.substr(0, content.find('\n'));
}

}  // namespace kith
