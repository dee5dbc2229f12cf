// TopoMatch's (TreeMatch's) communication matrices: n rows of n numbers.

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/fd_writer.hpp"
#include "io/matrix_formats.hpp"
#include "io/weights.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

// What the two dense text formats share.

/// Calls next_value() until it gives an empty word and adds the values of row `source`; there must
/// be ranks() of them.
template <class NextValue>
void read_dense_row(const LineReader& in, Rank source, TrafficMatrixBuilder& builder,
                    NextValue next_value) {
  const std::uint32_t n = builder.ranks();
  std::uint32_t column = 0;
  for (auto word = next_value(); !word.empty(); word = next_value(), ++column) {
    if (column == n) {
      throw in.error(std::to_string(n) + " values in a row, as in the first",
                     "one more: " + in_quotes(word));
    }
    const Weight weight = read_weight(in, word);
    if (weight != 0) builder.add(source, Rank{column}, weight);
  }
  if (column != n) {
    throw in.error(std::to_string(n) + " values in a row, as in the first", std::to_string(column));
  }
}

/// Row `source` with its zeros.
inline void write_dense_row(FdWriter& out, const TrafficMatrix& matrix, Rank source,
                            char separator) {
  const auto destinations = matrix.destinations(source);
  const auto weights = matrix.weights(source);
  std::size_t next = 0;
  for (std::uint32_t column = 0; column < matrix.ranks(); ++column) {
    if (column > 0) out.put(separator);
    const bool there = next < destinations.size() && destinations[next].value == column;
    out.number(there ? weights[next++] : 0);
  }
  out.put('\n');
}

}  // namespace

// EagerMap's communication matrices: comma-separated values, the row of the last task first.

namespace {

/// The values of a line, blanks around them removed; a comma at the end of the line is ignored.
class CommaValues {
 public:
  CommaValues(const LineReader& in, std::string_view line) : in_(in), rest_(trimmed(line)) {
    if (rest_.ends_with(',')) rest_ = trimmed(rest_.substr(0, rest_.size() - 1));
    done_ = rest_.empty();
  }
  std::string_view next() {
    if (done_) return {};
    const std::size_t comma = rest_.find(',');
    const std::string_view value = trimmed(rest_.substr(0, comma));
    if (value.empty()) throw in_.error("a number between commas", "nothing");
    done_ = comma == std::string_view::npos;
    if (!done_) rest_.remove_prefix(comma + 1);
    return value;
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
  }
  const LineReader& in_;
  std::string_view rest_;
  bool done_;
};

std::uint32_t count_comma_values(const LineReader& in, std::string_view line) {
  CommaValues values(in, line);
  std::uint64_t n = 0;
  while (!values.next().empty()) ++n;
  if (n > max_index_count) throw in.error("fewer values in a row", std::to_string(n));
  return static_cast<std::uint32_t>(n);
}

}  // namespace

TrafficMatrix read_eagermap_csv(LineReader& in) {
  std::string_view line;
  bool any = false;
  while (!any && in.next(line)) any = !is_blank(line);
  if (!any) throw bad_input(in.file(), "rows of comma-separated numbers", "an empty file");

  const std::uint32_t n = count_comma_values(in, line);
  TrafficMatrixBuilder builder(n);
  std::uint32_t rows = 0;
  do {
    if (is_blank(line)) continue;
    if (rows == n) {
      throw in.error(std::to_string(n) + " rows, as many as columns", "one more");
    }
    CommaValues values(in, line);
    read_dense_row(in, Rank{n - 1 - rows}, builder, [&] { return values.next(); });
    ++rows;
  } while (in.next(line));
  if (rows != n) {
    throw in.error(std::to_string(n) + " rows, as many as columns",
                   std::to_string(rows) + " at the end of the file");
  }
  return builder.build();
}

void write_eagermap_csv(FdWriter& out, const TrafficMatrix& matrix) {
  for (std::uint32_t r = matrix.ranks(); r-- > 0 && out.ok();) {
    write_dense_row(out, matrix, Rank{r}, ',');
  }
}

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
