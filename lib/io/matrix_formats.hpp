// One reader and one writer per matrix format; matrix_file.cpp chooses among them.
#pragma once

#include <filesystem>
#include <optional>

#include "core/fd_writer.hpp"
#include "io/weights.hpp"
#include "kith/io.hpp"
#include "kith/traffic.hpp"

namespace kith {

// Readers throw Error (input) with file:line, expected, found.
TrafficMatrix read_mtx(LineReader& in);
TrafficMatrix read_eagermap_csv(LineReader& in);
TrafficMatrix read_dense_text(LineReader& in);
/// Undirected: all of a pair's weight is in the cell (lower rank, higher rank).
TrafficMatrix read_metis_graph(LineReader& in);
/// Undirected: all of a pair's weight is in the cell (lower rank, higher rank).
TrafficMatrix read_scotch_graph(LineReader& in);

enum class ProfCount { bytes, messages };
/// `path`: a directory with PREFIX.<rank>.prof files, such a PREFIX, or a single file.
TrafficMatrix read_prof(const std::filesystem::path& path, ProfCount count);
/// True when `path` is a directory with .prof files in it or the prefix of some.
bool has_prof_files(const std::filesystem::path& path);

// Writers; failures show in the FdWriter.
void write_eagermap_csv(FdWriter& out, const TrafficMatrix& matrix);
void write_dense_text(FdWriter& out, const TrafficMatrix& matrix);
/// Pair totals; the diagonal, which the format does not know, is left out.
void write_metis_graph(FdWriter& out, const TrafficMatrix& matrix);
/// Pair totals; the diagonal, which the format does not know, is left out.
void write_scotch_graph(FdWriter& out, const TrafficMatrix& matrix);

/// By the ending of the name: .mtx .csv .txt .graph .grf .prof, in any case.
std::optional<MatrixFormat> format_of_name(const std::filesystem::path& path);
/// By the first bytes of the file. METIS and dense text are told apart by the numbers per line; a
/// METIS file whose every line has as many numbers as the file has lines is taken as dense.
std::optional<MatrixFormat> format_of_content(std::string_view head, bool head_is_all);

}  // namespace kith
