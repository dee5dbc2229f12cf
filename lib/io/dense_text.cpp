// TopoMatch's (TreeMatch's) communication matrices: n rows of n numbers.
#include <string>

#include "io/dense_rows.hpp"
#include "io/matrix_formats.hpp"

namespace kith {
namespace {

bool next_row(LineReader& in, std::string_view& line) {
  while (in.next(line)) {
    if (!is_blank(line) && line[0] != '#') return true;
  }
  return false;
}

std::uint32_t count_values(const LineReader& in, std::string_view line) {
  Words words(line);
  std::uint64_t n = 0;
  while (!words.next().empty()) ++n;
  if (n > max_index_count) throw in.error("fewer values in a row", std::to_string(n));
  return static_cast<std::uint32_t>(n);
}

}  // namespace

TrafficMatrix read_dense_text(LineReader& in) {
  std::string_view line;
  if (!next_row(in, line)) throw bad_input(in.file(), "rows of numbers", "an empty file");
  const std::uint32_t n = count_values(in, line);
  TrafficMatrixBuilder builder(n);
  std::uint32_t rows = 0;
  do {
    if (rows == n) throw in.error(std::to_string(n) + " rows, as many as columns", "one more");
    Words words(line);
    read_dense_row(in, Rank{rows}, builder, [&] { return words.next(); });
    ++rows;
  } while (next_row(in, line));
  if (rows != n) {
    throw in.error(std::to_string(n) + " rows, as many as columns",
                   std::to_string(rows) + " at the end of the file");
  }
  return builder.build();
}

void write_dense_text(FdWriter& out, const TrafficMatrix& matrix) {
  for (std::uint32_t r = 0; r < matrix.ranks() && out.ok(); ++r) {
    write_dense_row(out, matrix, Rank{r}, ' ');
  }
}

}  // namespace kith
