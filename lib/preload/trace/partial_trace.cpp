#include "trace/partial_trace.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/file_content.hpp"
#include "core/log.hpp"
#include "core/this_process.hpp"
#include "io/format/trace_text.hpp"
#include "record/peer_table.hpp"

namespace kith::preload {
namespace {

namespace fs = std::filesystem;

// Unlike any other run's that might have left its files here.
std::uint64_t new_run() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const auto nanoseconds = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                           static_cast<std::uint64_t>(now.tv_nsec);
  return nanoseconds ^ static_cast<std::uint64_t>(getpid()) << 40;
}

std::string hex(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

std::string meta_file(const std::string& folder) {
  return folder + "/" + trace_names::meta;
}

bool is_ours(const std::string& name) {
  return name == trace_names::meta || name == trace_names::machine ||
         (name.starts_with("host-") && name.ends_with(".xml")) ||
         (name.starts_with(trace_names::rows_prefix) &&
          (name.ends_with(trace_names::rows_suffix) ||
           name.ends_with(trace_names::rank_timeline_suffix) ||
           name.ends_with(std::string(trace_names::rank_timeline_suffix) + ".new")));
}

// The files of a partial trace and the folder, which stays if it holds anything else.
void remove_folder(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (is_ours(at->path().filename().string())) files.push_back(at->path());
  }
  for (const fs::path& file : files) fs::remove(file, error);
  rmdir(folder.c_str());
}

}  // namespace

PartialTrace::Identity PartialTrace::identity_of(const std::string& folder) {
  struct stat found {};
  if (lstat(folder.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

std::string PartialTrace::make(const std::string& folder) {
  if (mkdir(folder.c_str(), 0777) != 0) {
    return "cannot make " + folder + ": " + std::strerror(errno);
  }
  folder_ = folder;
  made_here_ = true;
  identity_ = identity_of(folder);
  return {};
}

std::string PartialTrace::make_folder(const std::string& trace) {
  const std::string folder = trace + trace_names::partial_suffix;
  if (access(meta_file(folder).c_str(), F_OK) == 0) remove_folder(folder);
  return make(folder);
}

std::string PartialTrace::describe(const TraceContent& content, std::uint64_t run) {
  const FileSizeSignalBlocked guard;
  TraceMetaText meta = meta_of(content);
  meta.partial = true;
  meta.run = hex(run);
  const std::string text = meta_json_text(meta);
  FileSet files(folder_);
  write_machine(files, content.job);
  files.text(trace_names::meta, text);
  if (files.ok()) return text;
  log_line("if this job ends before MPI_Finalize, its trace is lost: " + files.problem());
  files.remove_all();
  return {};
}

// On the leader of a host: its folder is the root's, where it sees that one, or its own.
std::string PartialTrace::join_folder(const std::string& meta, bool force) {
  const FileSizeSignalBlocked guard;
  const auto sees_it = [&] { return file_content(meta_file(folder_)) == meta; };
  if (sees_it()) return {};
  const std::string folder = folder_;
  if (force && access(meta_file(folder).c_str(), F_OK) == 0) remove_folder(folder);
  const std::string problem = make(folder);
  if (!problem.empty()) return sees_it() ? std::string() : problem;
  FileSet files(folder);
  files.text(trace_names::meta, meta);
  return files.problem();
}

// What the others wait for, whatever happens here.
std::string PartialTrace::text_of_meta(const std::function<TraceContent()>& content,
                                       std::uint64_t run) {
  if (folder_.empty()) return {};  // KITH_PARTIAL=0
  try {
    return describe(content(), run);
  } catch (const std::exception& error) {
    log_line(std::string("if this job ends before MPI_Finalize, its trace is lost: ") +
             error.what());
    return {};
  }
}

void PartialTrace::begin(PrivateComm& private_comm, std::uint32_t rank,
                         const std::function<TraceContent()>& content, bool force) {
  Packer packer;
  if (private_comm.is_root()) {
    const std::uint64_t run = new_run();
    packer.put(run);
    packer.put(force);
    packer.put_text(folder_);
    packer.put_text(text_of_meta(content, run));
  }
  const std::string packed = private_comm.broadcast(packer.take());
  Unpacker unpacker(packed);
  const auto run = unpacker.get<std::uint64_t>();
  force = unpacker.get<bool>();
  folder_ = unpacker.get_text();
  const std::string meta(unpacker.get_text());
  if (meta.empty()) {
    if (made_here_) rmdir(folder_.c_str());
    folder_.clear();
    return;
  }
  std::string problem;
  const bool leads = private_comm.leads_host();
  if (!private_comm.is_on_one_host()) {
    if (leads && !private_comm.is_root()) problem = join_folder(meta, force);
    private_comm.all_agree(true);  // every host has its folder
  }
  if (problem.empty()) {
    const record::RowFile file{folder_ + "/" + trace_names::rank_rows(rank), rank,
                               static_cast<std::uint32_t>(private_comm.size()), run};
    problem = record::keep_rows_in(file);
    if (!problem.empty()) problem = "cannot make " + file.path + ": " + problem;
  }
  ranks_ = static_cast<std::uint64_t>(private_comm.size());
  without_ = private_comm.sum(problem.empty() ? 0 : 1);
  if (without_ == 0) return;
  std::string first;
  for (const std::string& other : private_comm.gather(problem)) {
    if (first.empty()) first = other;
  }
  if (private_comm.is_root()) {
    log_line("should this job not reach MPI_Finalize, the rows of " + std::to_string(without_) +
             " of " + std::to_string(ranks_) + " ranks are lost: " + first);
  }
  if (without_ < ranks_) return;
  if (made_here_ && identity_of(folder_) == identity_) remove_folder(folder_);
  folder_.clear();
}

std::string PartialTrace::what_remains() const {
  if (folder_.empty()) return {};
  const std::string who = without_ == 0 ? "what was counted"
                                        : "what " + std::to_string(ranks_ - without_) + " of " +
                                              std::to_string(ranks_) + " ranks counted";
  return who + " stays in " + folder_;
}

void PartialTrace::keep_timeline(std::uint32_t rank, double began) {
  if (folder_.empty()) return;
  keep_timeline_in(folder_ + "/" + trace_names::rank_timeline(rank), rank, began);
}

void PartialTrace::remove(PrivateComm& private_comm) {
  if (folder_.empty()) return;
  record::remove_row_file();
  remove_timeline_file();
  // All row files are gone then; on one host the root removes those that are still there.
  if (!private_comm.is_on_one_host()) private_comm.all_agree(true);
  if (made_here_ && identity_of(folder_) == identity_) remove_folder(folder_);
  folder_.clear();
}

}  // namespace kith::preload
