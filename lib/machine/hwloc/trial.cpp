#include "machine/hwloc/trial.hpp"

#include <sys/resource.h>

#include "core/child_process.hpp"

namespace kith {

bool survives(const std::function<void()>& attempt) {
  const ChildEnd end = run_in_child(
      [&attempt](const SendToParent&) {
        constexpr rlim_t most_seconds = 60;
        const rlimit time{most_seconds, most_seconds};
        setrlimit(RLIMIT_CPU, &time);
        attempt();
      },
      [] { return false; });
  return end.how != ChildEnd::How::crashed;
}

}  // namespace kith
