#include "io/trace_files.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include "core/parse_number.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

struct RankFile {
  std::uint32_t rank;
  fs::path path;
};

/// The row files by rank. Of each rank there is one, under its own name.
std::vector<RankFile> find_row_files(const fs::path& trace, const TraceMeta& meta) {
  std::vector<RankFile> files;
  std::error_code error;
  for (fs::directory_iterator at(trace, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(trace_names::rows_prefix) || !name.ends_with(trace_names::rows_suffix)) {
      continue;
    }
    const std::string_view digits = std::string_view(name).substr(
        sizeof trace_names::rows_prefix - 1,
        name.size() - sizeof trace_names::rows_prefix - sizeof trace_names::rows_suffix + 2);
    const auto rank = parse_unsigned(digits);
    if (!rank || *rank >= meta.ranks ||
        name != trace_names::rank_rows(static_cast<std::uint32_t>(*rank))) {
      throw bad_input(at->path().string(),
                      "the row file of a rank below " + std::to_string(meta.ranks) + ", as " +
                          trace_names::meta + " says",
                      name);
    }
    files.push_back({static_cast<std::uint32_t>(*rank), at->path()});
  }
  if (error) throw bad_input(trace.string(), "a readable directory", error.message());
  std::ranges::sort(files, {}, &RankFile::rank);
  return files;
}

std::uint64_t run_of(const fs::path& trace, const TraceMeta& meta) {
  std::uint64_t run = 0;
  const char* const end = meta.run.data() + meta.run.size();
  const auto [stop, error] = std::from_chars(meta.run.data(), end, run, 16);
  if (meta.run.empty() || stop != end || error != std::errc{}) {
    throw bad_input((trace / trace_names::meta).string() + ": /run", "a hexadecimal number",
                    '"' + meta.run + '"');
  }
  return run;
}

/// Adds what a counter has for a matrix. Classes are added one by one: the builder checks the sum.
using Add = void (*)(TrafficMatrixBuilder&, const RowFileEntry&);

template <std::size_t Class>
void add_class(TrafficMatrixBuilder& builder, const RowFileEntry& entry) {
  if (entry.bytes[Class] == 0) return;
  builder.add(Rank(entry.source), Rank(entry.destination), entry.bytes[Class]);
}

void add_bytes(TrafficMatrixBuilder& builder, const RowFileEntry& entry) {
  add_class<0>(builder, entry);
  add_class<1>(builder, entry);
  add_class<2>(builder, entry);
}

void add_messages(TrafficMatrixBuilder& builder, const RowFileEntry& entry) {
  builder.add(Rank(entry.source), Rank(entry.destination), entry.messages);
}

Add add_for(std::string_view file) {
  if (file == trace_names::bytes) return add_bytes;
  if (file == trace_names::messages) return add_messages;
  if (file == trace_names::p2p_bytes) return add_class<0>;
  if (file == trace_names::coll_bytes) return add_class<1>;
  if (file == trace_names::rma_bytes) return add_class<2>;
  return nullptr;
}

}  // namespace

bool is_partial(const fs::path& trace, const TraceMeta& meta) {
  std::error_code ignored;
  return meta.partial && !fs::exists(trace / trace_names::bytes, ignored);
}

std::optional<PartialMatrix> read_partial(const fs::path& trace, const TraceMeta& meta,
                                          std::string_view file) {
  const Add add = add_for(file);
  if (add == nullptr) return std::nullopt;
  const std::uint64_t run = run_of(trace, meta);
  TrafficMatrixBuilder builder(meta.ranks);
  PartialRows rows;
  for (const RankFile& one : find_row_files(trace, meta)) {
    const RowFileState state =
        read_row_file(one.path, {one.rank, meta.ranks, run},
                      [&](const RowFileEntry& entry) { add(builder, entry); });
    if (state != RowFileState::empty) ++rows.ranks;
    if (state == RowFileState::incomplete) ++rows.incomplete;
  }
  return PartialMatrix{builder.build(), rows};
}

}  // namespace kith
