// What this process runs, from the kernel and the program's own file.
#pragma once

#include <string>

namespace kith::preload {

/// The path of the executable, links followed; "unknown" where the kernel does not say.
std::string program_name();

/// As the kernel has it: a NUL behind each word, at most a megabyte. Empty: not known.
std::string command_line();

/// What tells one build of the running program from another, without reading its file: the identity
/// that the linker gave it (its GNU build-id), else the file's size and date. Empty: not known.
std::string build_of_this_program();

}  // namespace kith::preload
