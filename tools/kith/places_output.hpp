// Who sits where, for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "io/format/json_text.hpp"
#include "io/format/places_text.hpp"

namespace kith::tools {

/// The table, a line for each rank, with a newline at the end of each.
std::string places_text(const std::vector<PlacedRank>& places);

/// An array of {"rank","launcher_rank","host","place","cpus"}, as the next value of `json`.
void put_places(JsonText& json, const std::vector<PlacedRank>& places);

}  // namespace kith::tools
