#include "core/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace kith {

void log_line(std::string_view message) noexcept {
  std::array<char, 2048> line;
  constexpr std::string_view prefix = "kith: ";
  const std::size_t length = std::min(message.size(), line.size() - prefix.size() - 1);
  std::memcpy(line.data(), prefix.data(), prefix.size());
  std::memcpy(line.data() + prefix.size(), message.data(), length);
  line[prefix.size() + length] = '\n';
  // A closed stderr is the user's choice: nothing else to tell it to.
  [[maybe_unused]] const auto ignored =
      write(STDERR_FILENO, line.data(), prefix.size() + length + 1);
}

}  // namespace kith
