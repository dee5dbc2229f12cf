// NAME.kith.partial: the rows that each rank left behind, merged.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "kith/io.hpp"

namespace kith {

/// True for a trace folder with one file of rows per rank, which are not merged yet.
bool is_partial(const std::filesystem::path& trace, const TraceMeta& meta);

struct PartialMatrix {
  TrafficMatrix matrix;
  PartialRows rows;
};

/// The matrix that a whole trace would have in `file` (bytes.mtx, messages.mtx, classes/...). Ranks
/// without a file sent nothing, or from a host that does not share the file system. Nothing for a
/// file that partial traces do not have. Throws Error (input) for broken row files.
std::optional<PartialMatrix> read_partial(const std::filesystem::path& trace, const TraceMeta& meta,
                                          std::string_view file);

}  // namespace kith
