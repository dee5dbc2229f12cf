// The files of a trace that grow with the ranks, written row by row: matrices, load.csv, sizes.csv.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/trace_text.hpp"
#include "trace/host_rows.hpp"

namespace kith::preload {

// The files of one directory that is being written: complete, or removed again.

/// The first failure stays and stops the rest. Names are relative to the directory; "" is itself.
class FileSet {
 public:
  explicit FileSet(std::string directory) : directory_(std::move(directory)) {}

  void make_directory(const std::string& name);
  void text(const std::string& name, std::string_view content);

  /// A new file's descriptor; -1 after a failure. Give it back to close_file().
  int new_file(const std::string& name);
  /// `why`: what went wrong in writing it; empty: nothing.
  void close_file(int fd, const std::string& name, const std::string& why);

  /// All that was made, onto the disk: a machine may stop right after a rename. Once for all files:
  /// the first takes the file system's journal along, and the others find little to do.
  void flush();

  void fail(const std::string& problem);
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  const std::string& directory() const { return directory_; }
  bool is_made() const { return ok() && !made_.empty(); }

  /// Removes what was made, newest first; needs no descriptor.
  void remove_all();

 private:
  std::string path(const std::string& name) const;
  void cannot_write(const std::string& name, const std::string& why);

  std::string directory_;
  std::string problem_;
  std::vector<std::string> made_;
};

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
  /// The largest wall time of a rank in a section, in ns.
  std::uint64_t most_wall_ns(std::size_t section) const {
    return section < most_wall_ns_.size() ? most_wall_ns_[section] : 0;
  }

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
  std::vector<std::uint64_t> most_wall_ns_;  ///< by section
};

}  // namespace kith::preload
