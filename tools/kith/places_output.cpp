#include "places_output.hpp"

#include "output.hpp"

namespace kith::tools {

std::string places_text(const std::vector<PlacedRank>& places) {
  std::string text;
  for (const std::string& line : places_table(places)) text += printable(line) + "\n";
  return text;
}

void put_places(JsonText& json, const std::vector<PlacedRank>& places) {
  json.begin_array();
  for (const PlacedRank& place : places) {
    json.begin_object(JsonLayout::line);
    json.key("rank").value(place.rank).key("launcher_rank").value(place.launcher_rank);
    json.key("host").value(place.host).key("place").value(place.place);
    json.key("cpus").value(place.cpus);
    json.end_object();
  }
  json.end_array();
}

}  // namespace kith::tools
