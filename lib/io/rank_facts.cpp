// What is known of each rank: by the user, one line per rank, or by the trace.
#include <algorithm>
#include <cmath>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

/// Calls `visit(words)` for each line that is neither empty nor a comment.
template <class Visit>
void for_each_line(LineReader& in, Visit&& visit) {
  std::string_view line;
  while (in.next(line)) {
    line = line.substr(0, line.find('#'));
    if (is_blank(line)) continue;
    visit(Words(line));
  }
}

}  // namespace

std::vector<std::uint64_t> read_loads(const std::filesystem::path& path) {
  LineReader in(path);
  in.limit_lines(LineReader::short_line);
  std::vector<std::uint64_t> loads;
  for_each_line(in, [&](Words words) {
    if (loads.size() == max_index_count) throw in.error("at most 2^32 - 1 ranks", "more");
    loads.push_back(read_count(in, words.next(), "a load, a whole number"));
    expect_line_end(in, words);
  });
  if (loads.empty()) throw in.error("a load per line", "none");
  return loads;
}

RankCoordinates read_coordinates(const std::filesystem::path& path) {
  constexpr unsigned most_dimensions = 64;
  LineReader in(path);
  in.limit_lines(LineReader::short_line);
  RankCoordinates coordinates;
  std::uint64_t ranks = 0;
  for_each_line(in, [&](Words words) {
    unsigned count = 0;
    for (auto word = words.next(); !word.empty(); word = words.next()) {
      const auto value = parse_real(word);
      if (!value) throw in.error("a coordinate, a decimal number", in_quotes(word));
      coordinates.values.push_back(*value);
      if (++count > most_dimensions) throw in.error("at most 64 coordinates", "more");
    }
    if (ranks == 0) coordinates.dimensions = count;
    if (count != coordinates.dimensions) {
      throw in.error(std::to_string(coordinates.dimensions) + " coordinates, as on the first line",
                     std::to_string(count));
    }
    if (++ranks > max_index_count) throw in.error("at most 2^32 - 1 ranks", "more");
  });
  if (ranks == 0) throw in.error("a point per line", "none");
  return coordinates;
}

std::vector<std::uint64_t> loads_of(const Trace& trace) {
  std::vector<std::uint64_t> loads;
  for (const RankLoad& load : read_trace_load(trace)) {
    loads.push_back(static_cast<std::uint64_t>(std::llround(load.cpu_outside_s * 1e6)));
  }
  return loads;
}

std::optional<RankCoordinates> coordinates_of(const Trace& trace) {
  if (!trace.meta || !trace.meta->cartesian) return std::nullopt;
  const CartesianTopology& cartesian = *trace.meta->cartesian;
  RankCoordinates grid = RankCoordinates::grid(cartesian.dims, cartesian.periods);
  if (cartesian.ranks.empty()) return grid;
  RankCoordinates coordinates = grid;
  for (std::uint32_t place = 0; place < grid.ranks(); ++place) {
    std::ranges::copy(grid.of(place), coordinates.values.begin() +
                                          std::ptrdiff_t{cartesian.ranks[place]} * grid.dimensions);
  }
  return coordinates;
}

}  // namespace kith
