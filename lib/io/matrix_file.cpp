// Reading and writing a matrix in any format.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/did_you_mean.hpp"
#include "core/fd_writer.hpp"
#include "core/plain_text.hpp"
#include "io/atomic_file.hpp"
#include "io/format/mtx_writer.hpp"
#include "io/matrix_formats.hpp"
#include "kith/detail/generate.hpp"

namespace kith {
namespace {

struct FormatName {
  std::string_view name;
  MatrixFormat format;
};

/// The first name of a format is the one that to_string() gives.
constexpr std::array format_names{
    FormatName{"mtx", MatrixFormat::mtx},           FormatName{"csv", MatrixFormat::eagermap},
    FormatName{"eagermap", MatrixFormat::eagermap}, FormatName{"dense", MatrixFormat::dense},
    FormatName{"metis", MatrixFormat::metis},       FormatName{"scotch", MatrixFormat::scotch},
    FormatName{"prof", MatrixFormat::prof},
};

TrafficMatrix read_as(LineReader& in, MatrixFormat format) {
  switch (format) {
    case MatrixFormat::mtx:
      return read_mtx(in);
    case MatrixFormat::eagermap:
      return read_eagermap_csv(in);
    case MatrixFormat::dense:
      return read_dense_text(in);
    case MatrixFormat::metis:
      return read_metis_graph(in);
    case MatrixFormat::scotch:
      return read_scotch_graph(in);
    case MatrixFormat::prof:
      break;
  }
  throw Error(ErrorKind::internal, "read_as: not a format of a single file");
}

void write_mtx(AtomicFile& file, const TrafficMatrix& matrix) {
  MtxWriter out(file.fd(), matrix.ranks(), matrix.entries(), MtxSymmetry::general);
  for (std::uint32_t r = 0; r < matrix.ranks(); ++r) {
    const auto destinations = matrix.destinations(Rank{r});
    const auto weights = matrix.weights(Rank{r});
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      out.entry(r, destinations[i].value, weights[i]);
    }
  }
  if (!out.finish()) file.fail(out.error());
}

}  // namespace

std::string_view to_string(MatrixFormat format) {
  for (const FormatName& known : format_names) {
    if (known.format == format) return known.name;
  }
  return "unknown";
}

MatrixFormat parse_matrix_format(std::string_view name, std::string_view option) {
  std::string known_names;
  std::vector<std::string> candidates;
  for (const FormatName& known : format_names) {
    if (known.name == name) return known.format;
    candidates.emplace_back(known.name);
    if (!known_names.empty()) known_names += ", ";
    known_names += known.name;
  }
  throw bad_input(option, "one of " + known_names,
                  in_quotes(name) + did_you_mean(name, candidates));
}

TrafficMatrix read_matrix(const std::filesystem::path& path, std::optional<MatrixFormat> format) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  const bool directory = std::filesystem::is_directory(path, ignored);
  if (!format) format = format_of_name(path);
  if (!format && (directory || !exists) && has_prof_files(path)) format = MatrixFormat::prof;
  if (format == MatrixFormat::prof) return read_prof(path, ProfCount::bytes);
  if (directory) throw bad_input(path.string(), "a matrix file", "a directory");

  LineReader in(path);
  if (!format) {
    const std::string_view head = in.head();
    format = format_of_content(head, in.bytes() == head.size());
    if (!format) {
      throw bad_input(
          path.string(),
          "a trace (a folder NAME.kith) or a matrix (Matrix Market, EagerMap CSV, dense text, "
          "METIS, Scotch or .prof)",
          head.empty() ? "an empty file" : "a file that starts with " + in_quotes(head));
    }
    if (format == MatrixFormat::prof) return read_prof(path, ProfCount::bytes);
  }
  return read_as(in, *format);
}

void write_matrix(const std::filesystem::path& path, const TrafficMatrix& matrix,
                  MatrixFormat format) {
  if (format == MatrixFormat::prof) {
    throw bad_input(path.string(), "a format that can be written (mtx, csv, dense, metis, scotch)",
                    "prof");
  }
  AtomicFile file(path);
  if (format == MatrixFormat::mtx) {
    write_mtx(file, matrix);
  } else {
    FdWriter out(file.fd());
    if (format == MatrixFormat::eagermap) write_eagermap_csv(out, matrix);
    if (format == MatrixFormat::dense) write_dense_text(out, matrix);
    if (format == MatrixFormat::metis) write_metis_graph(out, matrix);
    if (format == MatrixFormat::scotch) write_scotch_graph(out, matrix);
    if (!out.flush()) file.fail(out.error());
  }
  file.commit();
}

void write_pattern(const std::filesystem::path& path, const Pattern& pattern,
                   std::string_view comment) {
  std::uint64_t pairs = 0;
  pattern.for_each_pair([&](Rank, Rank, Weight) { ++pairs; });
  AtomicFile file(path);
  MtxWriter out(file.fd(), pattern.ranks(), pairs, MtxSymmetry::symmetric, comment);
  pattern.for_each_pair([&](Rank a, Rank b, Weight weight) {
    out.entry(std::max(a, b).value, std::min(a, b).value, weight);
  });
  if (!out.finish()) file.fail(out.error());
  file.commit();
}

}  // namespace kith
