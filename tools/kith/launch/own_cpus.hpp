// The CPUs that kith was started with.
#pragma once

namespace kith::tools {

/// What kith starts gets the CPUs that kith got. Under OMP_PROC_BIND or OMP_PLACES the OpenMP
/// library, which kith is linked with for its own work, binds the main thread to one CPU before
/// main() begins: a launcher and all its ranks would inherit that.
void give_back_own_cpus() noexcept;

}  // namespace kith::tools
