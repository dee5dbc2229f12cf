// Open MPI's own settings, as the library has them: environment, files and defaults merged.
#pragma once

#include <optional>
#include <string>

namespace kith::mpi {

/// An integer parameter of Open MPI by its full name ("coll_sm_priority"), once the component that
/// owns it is loaded; nothing otherwise, nor in other libraries. Local; requires bind() and that
/// MPI is initialised. The caller knows the parameter's type.
///
/// Not through MPI's tool interface: opening that makes Open MPI load every plug-in that it has,
/// which takes seconds and stays in the process.
std::optional<int> library_number(const char* name);
/// The same for a boolean.
std::optional<bool> library_flag(const char* name);
/// The same for a text; an unset text is empty.
std::optional<std::string> library_text(const char* name);

}  // namespace kith::mpi
