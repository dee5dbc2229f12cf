// The tables of a trace: load.csv and sizes.csv.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "core/parse_number.hpp"
#include "io/format/trace_text.hpp"
#include "io/trace_files.hpp"
#include "io/weights.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

constexpr std::array call_classes{"p2p", "coll", "neighbour", "rma"};
constexpr std::size_t longest_line = 4096;

/// The lines of a table behind its header, cut at the commas.
template <std::size_t Columns>
class Table {
 public:
  using Fields = std::array<std::string_view, Columns>;

  /// `older`: the header of traces that lack the last column; it is empty then.
  Table(const std::filesystem::path& file, std::string_view header, std::string_view older = {})
      : in_(file) {
    in_.limit_lines(longest_line);
    std::string_view line;
    const bool has_line = in_.next(line);
    if (has_line && line == header) return;
    if (!has_line || older.empty() || line != older) {
      throw bad_input_at(in_.file(), 1, "the header " + in_quotes(header), in_quotes(line));
    }
    columns_ = Columns - 1;
  }

  bool next(Fields& fields) {
    std::string_view line;
    if (!in_.next(line)) return false;
    fields = {};
    for (std::size_t i = 0; i < columns_; ++i) {
      const std::size_t end = std::min(line.find(','), line.size());
      const bool is_last = i + 1 == columns_;
      if (is_last == (end < line.size())) {
        throw in_.error(std::to_string(columns_) + " values", "another number of them");
      }
      fields[i] = line.substr(0, end);
      line.remove_prefix(is_last ? end : end + 1);
    }
    return true;
  }

  std::uint64_t number(std::string_view field, std::string_view what, std::uint64_t limit) const {
    return read_count(in_, field, what, limit);
  }

  double seconds(std::string_view field) const {
    const auto value = parse_real(field);
    if (!value || *value < 0) throw in_.error("seconds", in_quotes(field));
    return *value;
  }

  Error error(std::string_view expected, std::string_view found) const {
    return in_.error(expected, found);
  }

 private:
  LineReader in_;
  std::size_t columns_ = Columns;
};

bool has_file(const Trace& trace, const char* name) {
  std::error_code ignored;
  if (!trace.meta || !std::filesystem::exists(trace.path / name, ignored)) return false;
  check_regular(trace.path / name);
  return true;
}

/// A file that was cut off, or is of another run: each message is in messages.mtx or went to a
/// process outside the job.
void check_sum_of_sizes(const Trace& trace, std::uint64_t messages) {
  const TraceTotals& totals = trace.meta->totals;
  if (!totals.messages || !totals.foreign_messages) return;  // of an older trace
  const std::uint64_t expected = *totals.messages + *totals.foreign_messages;
  if (messages == expected) return;
  throw bad_input((trace.path / trace_names::sizes).string(),
                  std::to_string(expected) + " messages in all, as " + trace_names::meta +
                      " says (the file may have been cut off)",
                  std::to_string(messages));
}

}  // namespace

std::vector<RankLoad> read_trace_load(const Trace& trace, std::size_t phase) {
  if (!has_file(trace, trace_names::load)) return {};
  const TraceMeta& meta = *trace.meta;
  Table<6> table(trace.path / trace_names::load, trace_names::load_header,
                 trace_names::load_header_without_wall);
  std::vector<RankLoad> loads(meta.ranks);
  std::vector<bool> seen(meta.ranks);
  Table<6>::Fields fields;
  while (table.next(fields)) {
    const std::uint64_t found = table.number(fields[0], "a phase", meta.phases.size());
    const std::uint64_t rank = table.number(fields[1], "a rank", meta.ranks - 1);
    RankLoad load{table.seconds(fields[2]), table.seconds(fields[3]), {}, {}};
    if (!fields[4].empty()) {
      load.instructions = table.number(fields[4], "instructions", UINT64_MAX);
    }
    if (!fields[5].empty()) load.wall_s = table.seconds(fields[5]);
    if (found != phase) continue;
    if (seen[rank]) {
      throw table.error("each rank once in a phase", "rank " + std::to_string(rank) + " again");
    }
    seen[rank] = true;
    loads[rank] = load;
  }
  const auto missing = std::ranges::find(seen, false);
  if (missing != seen.end()) {
    throw bad_input((trace.path / trace_names::load).string(),
                    "a line for each of " + std::to_string(meta.ranks) + " ranks in phase " +
                        std::to_string(phase),
                    "none for rank " + std::to_string(missing - seen.begin()));
  }
  return loads;
}

std::vector<double> read_mean_wall_seconds(const Trace& trace) {
  if (!has_file(trace, trace_names::load)) return {};
  const TraceMeta& meta = *trace.meta;
  Table<6> table(trace.path / trace_names::load, trace_names::load_header,
                 trace_names::load_header_without_wall);
  std::vector<double> means(1 + meta.phases.size());
  Table<6>::Fields fields;
  while (table.next(fields)) {
    if (fields[5].empty()) return {};
    means[table.number(fields[0], "a phase", meta.phases.size())] +=
        table.seconds(fields[5]) / meta.ranks;
  }
  return means;
}

std::vector<SizeCount> read_trace_sizes(const Trace& trace) {
  if (!has_file(trace, trace_names::sizes)) return {};
  Table<4> table(trace.path / trace_names::sizes, trace_names::sizes_header);
  // One bucket for each power of two.
  std::array<std::array<std::uint64_t, 65>, call_classes.size()> messages{};
  std::uint64_t all = 0;  // modulo 2^64, as in the recorded totals
  Table<4>::Fields fields;
  while (table.next(fields)) {
    const auto at = std::ranges::find(call_classes, fields[0]);
    if (at == call_classes.end()) {
      throw table.error("p2p, coll, neighbour or rma", in_quotes(fields[0]));
    }
    table.number(fields[1], "a rank", trace.meta->ranks - 1);
    const std::uint64_t bytes = table.number(fields[2], "a number of bytes", UINT64_MAX);
    if ((bytes & (bytes + 1)) != 0) {
      throw table.error("a power of two less 1 as the largest size", in_quotes(fields[2]));
    }
    std::uint64_t& sum = messages[static_cast<std::size_t>(at - call_classes.begin())]
                                 [static_cast<std::size_t>(std::bit_width(bytes))];
    const std::uint64_t more = table.number(fields[3], "a number of messages", UINT64_MAX);
    if (sum > UINT64_MAX - more) {
      throw table.error("fewer than 2^64 messages of one size", "more");
    }
    sum += more;
    all += more;
  }
  check_sum_of_sizes(trace, all);
  std::vector<SizeCount> sizes;
  for (std::size_t c = 0; c < call_classes.size(); ++c) {
    for (std::size_t width = 0; width < messages[c].size(); ++width) {
      if (messages[c][width] == 0) continue;
      const std::uint64_t most = width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
      sizes.push_back({call_classes[c], most, messages[c][width]});
    }
  }
  return sizes;
}

}  // namespace kith
