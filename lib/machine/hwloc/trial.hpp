// Trying in a child process what may crash in a library.
#pragma once

#include <functional>

namespace kith {

/// Runs `attempt` in a child process without output, core file or more than a minute of processor
/// time. False when the child did not come to its end: a crash, a failed assertion. True as well
/// where no child can be had: then nothing is known. `attempt` must not throw.
bool survives(const std::function<void()>& attempt);

}  // namespace kith
