// What a user knows of each rank: one line per rank.
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

}  // namespace kith
