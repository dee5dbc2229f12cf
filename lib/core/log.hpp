// Kith's voice inside a job: whole lines on stderr, "kith: ..." in front.
#pragma once

#include <string_view>

namespace kith {

/// One line, written at once so that lines of several processes do not mix. Never throws.
void log_line(std::string_view message) noexcept;

}  // namespace kith
