// What Open MPI's monitoring writes at MPI_Finalize (pml_monitoring_enable_output=3): one file
// PREFIX.<rank>.prof per rank with tab-separated rows
//   KIND rank peer "N bytes" "M msgs sent" [histogram]
// KIND E: point-to-point of the program, I: point-to-point inside collectives, S: put to the peer,
// R: got from the peer. The section on collectives counts the same traffic again, by call: skipped.
#include <algorithm>
#include <map>
#include <string>
#include <system_error>

#include "core/parse_number.hpp"
#include "io/matrix_formats.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".prof";

/// "dir/PREFIX.12.prof" split: prefix "PREFIX" and rank 12. Nothing for other names.
struct ProfName {
  std::string prefix;
  std::uint64_t rank;
};
std::optional<ProfName> split_name(const std::string& name) {
  if (!name.ends_with(ending)) return std::nullopt;
  const std::string stem = name.substr(0, name.size() - ending.size());
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto rank = parse_unsigned(std::string_view(stem).substr(dot + 1));
  if (!rank) return std::nullopt;
  return ProfName{stem.substr(0, dot), *rank};
}

using FilesByRank = std::map<std::uint64_t, fs::path>;

/// The per-rank files of a directory, by prefix.
std::map<std::string, FilesByRank> list_directory(const fs::path& directory) {
  std::map<std::string, FilesByRank> found;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const auto name = split_name(at->path().filename().string());
    if (name) found[name->prefix][name->rank] = at->path();
  }
  return found;
}

/// The files that `path`, a directory or a prefix, stands for. Empty when there are none.
FilesByRank find_files(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    auto found = list_directory(parent);
    return std::move(found[path.filename().string()]);
  }
  auto found = list_directory(path);
  if (found.size() > 1) {
    std::string prefixes;
    for (const auto& [prefix, files] : found) {
      prefixes += (prefixes.empty() ? "" : ", ") + (path / prefix).string();
    }
    throw bad_input(path.string(), "the .prof files of one run; give one of the prefixes",
                    "those of several: " + prefixes);
  }
  return found.empty() ? FilesByRank() : std::move(found.begin()->second);
}

/// The tab-separated fields of a row.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}
  std::string_view next() {
    const std::size_t tab = rest_.find('\t');
    const std::string_view field = rest_.substr(0, tab);
    rest_ = tab == std::string_view::npos ? std::string_view() : rest_.substr(tab + 1);
    return field;
  }

 private:
  std::string_view rest_;
};

std::uint64_t read_amount(const LineReader& in, std::string_view field, std::string_view unit) {
  if (field.ends_with(unit)) {
    const auto amount = parse_unsigned(field.substr(0, field.size() - unit.size()));
    if (amount) return *amount;
  }
  throw in.error("a number followed by \"" + std::string(unit) + "\"", in_quotes(field));
}

/// The cells of one or more files, until the number of ranks is known.
class ProfCells {
 public:
  explicit ProfCells(ProfCount count, std::uint64_t least_ranks = 0)
      : count_(count), ranks_(least_ranks) {}

  /// `owner`: the rank that all rows must be of; nothing where the file holds those of several.
  void read(LineReader& in, std::optional<std::uint64_t> owner) {
    std::string_view line;
    while (in.next(line)) {
      if (is_blank(line) || line[0] == '#') {
        in_collectives_ = line.starts_with("# COLLECTIVES");
      } else if (!read_row(in, line, owner) && !in_collectives_) {
        throw in.error("a row of kind E, I, S or R", in_quotes(line));
      }
    }
  }

  /// Ranks that the files mention (indices, and the members of MPI_COMM_WORLD), or have files.
  std::uint64_t ranks() const { return ranks_; }

  TrafficMatrix matrix() const {
    TrafficMatrixBuilder builder(static_cast<std::uint32_t>(ranks_), cells_.size());
    for (const TrafficEntry& e : cells_) builder.add(e.source, e.destination, e.weight);
    return builder.build();
  }

 private:
  /// False for a row of no known kind.
  bool read_row(const LineReader& in, std::string_view line, std::optional<std::uint64_t> owner) {
    Fields fields(line);
    const std::string_view kind = fields.next();
    if (kind == "D" && fields.next() == "MPI_COMM_WORLD") count_members(fields.next());
    if (kind == "C" || kind == "D" || kind == "O2A" || kind == "A2O" || kind == "A2A") return true;
    if (kind != "E" && kind != "I" && kind != "S" && kind != "R") return false;

    const std::uint64_t rank = read_count(in, fields.next(), "a rank", max_index_count - 1);
    const std::uint64_t peer = read_count(in, fields.next(), "a rank", max_index_count - 1);
    if (owner && rank != *owner) {
      throw in.error("a row of rank " + std::to_string(*owner) + ", as the file's name says",
                     "rank " + std::to_string(rank));
    }
    const std::uint64_t bytes = read_amount(in, fields.next(), " bytes");
    const std::uint64_t messages = read_amount(in, fields.next(), " msgs sent");
    ranks_ = std::max({ranks_, rank + 1, peer + 1});
    const Rank self{static_cast<std::uint32_t>(rank)};
    const Rank other{static_cast<std::uint32_t>(peer)};
    const bool received = kind == "R";
    cells_.push_back({received ? other : self, received ? self : other,
                      count_ == ProfCount::bytes ? bytes : messages});
    return true;
  }

  /// "procs: 0,1,2,3"
  void count_members(std::string_view field) {
    if (!field.starts_with("procs: ")) return;
    const auto commas = std::count(field.begin(), field.end(), ',');
    ranks_ = std::max(ranks_, static_cast<std::uint64_t>(commas) + 1);
  }

  ProfCount count_;
  std::vector<TrafficEntry> cells_;
  std::uint64_t ranks_;
  bool in_collectives_ = false;
};

TrafficMatrix read_single(const fs::path& path, ProfCount count) {
  LineReader in(path);
  ProfCells cells(count);
  cells.read(in, std::nullopt);
  if (cells.ranks() == 0) throw bad_input(path.string(), "rows of kind E, I, S or R", "none");
  // An index costs eight bytes per rank below it: a stranger's file of one line must not cost 32
  // GB.
  constexpr std::uint64_t always_allowed = std::uint64_t{1} << 24;
  if (cells.ranks() > std::max(always_allowed, in.bytes().value_or(0))) {
    throw bad_input(path.string(), "ranks below " + std::to_string(always_allowed),
                    "rank " + std::to_string(cells.ranks() - 1));
  }
  return cells.matrix();
}

}  // namespace

bool has_prof_files(const fs::path& path) {
  return !find_files(path).empty();
}

TrafficMatrix read_prof(const fs::path& path, ProfCount count) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) {
    return read_single(path, count);
  }
  const FilesByRank files = find_files(path);
  if (files.empty()) {
    throw bad_input(path.string(), "files PREFIX.<rank>.prof, or the prefix of such", "none");
  }
  ProfCells cells(count, files.size());  // a rank may have sent nothing
  std::uint64_t next = 0;
  for (const auto& [rank, file] : files) {
    if (rank != next) {
      throw bad_input(path.string(), "a .prof file of rank " + std::to_string(next),
                      "the next one is " + file.filename().string());
    }
    LineReader in(file);
    cells.read(in, rank);
    ++next;
    // Only now: the message names the file that mentions a rank too many.
    if (cells.ranks() > files.size()) {
      throw bad_input(file.string(),
                      "ranks below " + std::to_string(files.size()) + ", the number of .prof files",
                      "rank " + std::to_string(cells.ranks() - 1));
    }
  }
  return cells.matrix();
}

}  // namespace kith
