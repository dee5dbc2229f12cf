// Programs that AddressSanitizer ends under a preload.
#include <fmt/format.h>

#include <algorithm>

#include "launch/needed_libraries.hpp"
#include "launch/option_words.hpp"

namespace kith::tools {
namespace {

constexpr std::string_view check = "verify_asan_link_order";

/// GCC's runtime, or clang's where it is shared. A runtime that is linked into the program does not
/// check which library was loaded first.
bool needs_shared_runtime(const std::string& path) {
  return std::ranges::any_of(needed_libraries(path), [](const std::string& library) {
    return library.starts_with("libasan.so") || library.starts_with("libclang_rt.asan");
  });
}

/// The first word of a program, or behind it (the program may be a wrapper's argument), that is
/// built so.
std::string sanitized_program(const Words& command, const Launcher& launcher) {
  for (const Context& context :
       split_contexts(command, launcher.index, options_of_kind(launcher.kind))) {
    for (std::size_t at = context.program; at < context.end; ++at) {
      const auto path = find_program(command[at]);
      if (path && needs_shared_runtime(*path)) return command[at];
    }
  }
  return {};
}

}  // namespace

std::string sanitizer_warning(const Words& command, const Launcher& launcher,
                              const std::optional<std::string>& asan_options) {
  const auto names_check = [](const std::string& text) {
    return text.find(check) != std::string::npos;
  };
  if (asan_options && names_check(*asan_options)) return {};
  if (std::ranges::any_of(command, names_check)) return {};
  const std::string program = sanitized_program(command, launcher);
  if (program.empty()) return {};
  return fmt::format(
      "warning: {} is built with AddressSanitizer, which ends programs that have a library "
      "preloaded: give the ranks ASAN_OPTIONS={}=0",
      program, check);
}

}  // namespace kith::tools
