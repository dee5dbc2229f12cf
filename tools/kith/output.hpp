// Results to stdout, messages to stderr.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/plain_text.hpp"
#include "kith/error.hpp"

namespace kith::tools {

/// Writes a result to stdout. Throws Error (environment) when that fails (full disk, closed pipe).
void print(std::string_view text);

/// One message to stderr: "kith: MESSAGE", made printable().
void tell(std::string_view message) noexcept;

/// What the user is told of an error: arguments are named as options of the command line.
std::string message_of(const Error& error);

/// From here on a closed pipe is a write error with a message instead of a silent death.
void ignore_closed_pipes();
/// For a program that takes our place: undoes ignore_closed_pipes().
void restore_closed_pipes();

/// Bytes with one decimal and a unit: "1.5 MiB", "512".
std::string scaled_bytes(std::uint64_t bytes);

/// Bytes with a unit beside the exact number: "1572864 (1.5 MiB)".
std::string bytes_text(std::uint64_t bytes);

}  // namespace kith::tools
