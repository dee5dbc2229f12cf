#include "trace/section_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "core/fd_writer.hpp"
#include "io/format/mtx_writer.hpp"
#include "io/format/trace_text.hpp"

namespace kith::preload {

std::string FileSet::path(const std::string& name) const {
  return name.empty() ? directory_ : directory_ + "/" + name;
}

void FileSet::fail(const std::string& problem) {
  if (problem_.empty()) problem_ = problem;
}

void FileSet::cannot_write(const std::string& name, const std::string& why) {
  fail("cannot write " + path(name) + ": " + why);
}

void FileSet::make_directory(const std::string& name) {
  if (!ok()) return;
  if (mkdir(path(name).c_str(), 0777) != 0) {
    cannot_write(name, std::strerror(errno));
  } else {
    made_.push_back(path(name));
  }
}

void FileSet::text(const std::string& name, std::string_view content) {
  const int fd = new_file(name);
  if (fd < 0) return;
  FdWriter out(fd);
  out.text(content);
  out.flush();
  close_file(fd, name, out.error());
}

int FileSet::new_file(const std::string& name) {
  if (!ok()) return -1;
  const int fd = open(path(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    cannot_write(name, std::strerror(errno));
  } else {
    made_.push_back(path(name));
  }
  return fd;
}

void FileSet::close_file(int fd, const std::string& name, const std::string& why) {
  if (fd < 0) return;
  if (!why.empty()) cannot_write(name, why);
  if (close(fd) != 0) cannot_write(name, std::strerror(errno));
}

void FileSet::flush() {
  // Their writing is begun together: one after the other they would wait for the disk each.
  for (const std::string& made : made_) {
    const int fd = open(made.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    close(fd);
  }
  for (const std::string& made : made_) {
    if (!ok()) return;
    const int fd = open(made.c_str(), O_RDONLY | O_CLOEXEC);
    const bool is_done = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL || errno == EROFS);
    if (!is_done) fail("cannot write " + made + ": " + std::strerror(errno));
    if (fd >= 0) close(fd);
  }
}

void FileSet::remove_all() {
  for (; !made_.empty(); made_.pop_back()) (void)::remove(made_.back().c_str());
}

using record::TrafficClass;

/// One matrix of a section.
class MatrixFile {
 public:
  MatrixFile(FileSet& files, std::string name, MatrixKind kind, std::uint32_t ranks,
             std::uint64_t entries, const char* comment)
      : files_(files),
        name_(std::move(name)),
        kind_(kind),
        fd_(files.new_file(name_)),
        out_(fd_, ranks, entries, MtxSymmetry::general, comment) {}
  ~MatrixFile() { files_.close_file(fd_, name_, {}); }
  MatrixFile(const MatrixFile&) = delete;
  MatrixFile& operator=(const MatrixFile&) = delete;

  void row(std::uint32_t rank, const record::Cells& cells) {
    for (const record::RowCell& cell : cells) {
      const std::uint64_t value = value_in(kind_, cell);
      if (value != 0) out_.entry(rank, cell.peer, value);
    }
  }

  void finish() {
    const bool complete = out_.finish();
    files_.close_file(fd_, name_, complete ? std::string() : out_.error());
    fd_ = -1;
  }

 private:
  FileSet& files_;
  std::string name_;
  MatrixKind kind_;
  int fd_;
  MtxWriter out_;
};

/// A table with a header line.
class CsvFile {
 public:
  CsvFile(FileSet& files, std::string name, const char* header)
      : files_(files), name_(std::move(name)), fd_(files.new_file(name_)), out_(fd_) {
    out_.text(header);
    out_.put('\n');
  }
  ~CsvFile() { files_.close_file(fd_, name_, {}); }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  FdWriter& out() { return out_; }

  void finish() {
    out_.flush();
    files_.close_file(fd_, name_, out_.error());
    fd_ = -1;
  }

 private:
  FileSet& files_;
  std::string name_;
  int fd_;
  FdWriter out_;
};

namespace {

struct MatrixOfRun {
  MatrixKind kind;
  const char* name;
  const char* comment;
};

constexpr MatrixOfRun matrices_of_run[] = {
    {MatrixKind::bytes, trace_names::bytes,
     "bytes by sender and receiver: point-to-point, collective-internal, one-sided"},
    {MatrixKind::messages, trace_names::messages, "messages by sender and receiver"},
    {MatrixKind::p2p, trace_names::p2p_bytes, "point-to-point bytes"},
    {MatrixKind::coll, trace_names::coll_bytes, "bytes inside collectives"},
    {MatrixKind::rma, trace_names::rma_bytes, "one-sided bytes"},
};
static_assert(std::size(matrices_of_run) == matrix_count);

/// Without floating point: libkith.so has no use for libm.
void put_seconds(FdWriter& out, std::uint64_t nanoseconds) {
  constexpr std::uint64_t per_second = 1'000'000'000;
  out.number(nanoseconds / per_second);
  out.put('.');
  const std::string fraction = std::to_string(nanoseconds % per_second);
  for (std::size_t i = fraction.size(); i < 9; ++i) out.put('0');
  out.text(fraction);
}

/// The largest size in a bucket of record::size_bucket().
std::uint64_t at_most_bytes(std::size_t bucket) {
  return bucket >= 64 ? UINT64_MAX : (std::uint64_t{1} << bucket) - 1;
}

}  // namespace

SectionWriter::SectionWriter(FileSet& files, std::uint32_t ranks, std::size_t phases)
    : files_(files), ranks_(ranks), most_wall_ns_(1 + phases) {
  files_.make_directory("");
  files_.make_directory(trace_names::classes_directory);
  if (phases > 0) files_.make_directory(trace_names::phases_directory);
  try {
    load_ = std::make_unique<CsvFile>(files_, trace_names::load, trace_names::load_header);
    sizes_ = std::make_unique<CsvFile>(files_, trace_names::sizes, trace_names::sizes_header);
  } catch (const std::bad_alloc&) {
    fail("not enough memory for the trace");
  }
}

SectionWriter::~SectionWriter() = default;

void SectionWriter::begin_section(std::size_t section, const EntryCounts& entries) {
  section_ = section;
  if (!ok()) return;
  if (section == 0) {
    for (const MatrixOfRun& matrix : matrices_of_run) {
      matrices_.push_back(std::make_unique<MatrixFile>(
          files_, matrix.name, matrix.kind, ranks_, entries[static_cast<std::size_t>(matrix.kind)],
          matrix.comment));
    }
  } else {
    matrices_.push_back(std::make_unique<MatrixFile>(
        files_, trace_names::phase_bytes(section), MatrixKind::bytes, ranks_, entries[0],
        "bytes in one phase of the run, by sender and receiver"));
  }
}

void SectionWriter::row(std::uint32_t rank, const UnpackedRow& row) {
  if (!ok()) return;
  for (const auto& matrix : matrices_) matrix->row(rank, row.cells);
  write_load(rank, row.load);
  most_wall_ns_.at(section_) = std::max(most_wall_ns_.at(section_), row.load.wall_ns);
  if (section_ != 0) return;
  write_sizes(rank, row.sizes);
  add_to_totals(rank, row);
}

void SectionWriter::end_section() {
  if (ok()) {
    for (const auto& matrix : matrices_) matrix->finish();
  }
  matrices_.clear();
}

void SectionWriter::finish() {
  if (!ok()) return;
  load_->finish();
  sizes_->finish();
}

void SectionWriter::write_load(std::uint32_t rank, const record::Load& load) {
  FdWriter& out = load_->out();
  out.number(section_);
  out.put(',');
  out.number(rank);
  out.put(',');
  put_seconds(out, load.outside_ns);
  out.put(',');
  put_seconds(out, load.inside_ns);
  out.put(',');
  if (load.instructions != record::Load::unknown) out.number(load.instructions);
  out.put(',');
  put_seconds(out, load.wall_ns);
  out.put('\n');
}

void SectionWriter::write_sizes(std::uint32_t rank, const record::SizeHistogram& sizes) {
  FdWriter& out = sizes_->out();
  for (std::size_t c = 0; c < record::call_class_count; ++c) {
    for (std::size_t bucket = 0; bucket < record::size_buckets; ++bucket) {
      const std::uint64_t messages = sizes.classes[c].messages[bucket];
      if (messages == 0) continue;
      out.text(record::call_class_names[c]);
      out.put(',');
      out.number(rank);
      out.put(',');
      out.number(at_most_bytes(bucket));
      out.put(',');
      out.number(messages);
      out.put('\n');
    }
  }
}

void SectionWriter::add_to_totals(std::uint32_t rank, const UnpackedRow& row) {
  for (const record::RowCell& cell : row.cells) {
    totals_.bytes += cell.total_bytes();
    totals_.messages += cell.messages;
    totals_.p2p_bytes += cell[TrafficClass::p2p];
    totals_.coll_bytes += cell[TrafficClass::coll];
    totals_.rma_bytes += cell[TrafficClass::rma];
    if (cell.peer != rank) continue;
    totals_.self_bytes += cell.total_bytes();
    totals_.self_messages += cell.messages;
  }
  const auto neighbour = static_cast<std::size_t>(record::CallClass::neighbour);
  totals_.neighbour_bytes += row.sizes.classes[neighbour].bytes;
  totals_.foreign_bytes += row.sizes.foreign_bytes;
  totals_.foreign_messages += row.sizes.foreign_messages;
}

}  // namespace kith::preload
