// The part of a trace that grows with the ranks, written row by row: matrices, load.csv, sizes.csv.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/format/trace_text.hpp"
#include "trace/file_set.hpp"
#include "trace/host_rows.hpp"

namespace kith::runtime {

class MatrixFile;
class CsvFile;

/// Sections in order, in each the rows in rank order; nothing of them stays in memory. Files are
/// made in `files`, where failures show: then all further calls do nothing.
class SectionWriter {
 public:
  /// Makes the folders of a trace, and the csv files. `phases`: how many.
  SectionWriter(FileSet& files, std::uint32_t ranks, std::size_t phases);
  ~SectionWriter();
  SectionWriter(const SectionWriter&) = delete;
  SectionWriter& operator=(const SectionWriter&) = delete;

  /// `entries` are those of all rows together.
  void begin_section(std::size_t section, const EntryCounts& entries);
  /// Every rank once, ascending.
  void row(std::uint32_t rank, const UnpackedRow& row);
  void end_section();
  /// After the last section: closes what is open.
  void finish();

  bool ok() const { return files_.ok(); }
  void fail(const std::string& problem) { files_.fail(problem); }
  /// Sums over the rows of section 0.
  const TraceMetaText::Totals& totals() const { return totals_; }

 private:
  void write_load(std::uint32_t rank, const record::Load& load);
  void write_sizes(std::uint32_t rank, const record::SizeHistogram& sizes);
  void add_to_totals(std::uint32_t rank, const UnpackedRow& row);

  FileSet& files_;
  std::uint32_t ranks_;
  std::size_t section_ = 0;
  std::vector<std::unique_ptr<MatrixFile>> matrices_;
  std::unique_ptr<CsvFile> load_;
  std::unique_ptr<CsvFile> sizes_;
  TraceMetaText::Totals totals_;
};

}  // namespace kith::runtime
