// The MPI library's own settings, as it sees them: environment, files and defaults merged.
#pragma once

#include <optional>
#include <string>

namespace kith::mpi {

/// Value of an integer, boolean or enumeration variable of the MPI tool interface, by name ("coll_sm_priority").
/// Nothing where this library has none of that name. Local; thread safe; requires bind().
std::optional<long> control_variable(const char* name);

/// The same for a text; an unset text is empty.
std::optional<std::string> control_variable_text(const char* name);

}  // namespace kith::mpi
