#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/fd_writer.hpp"
#include "kith/error.hpp"
#include "timeline/convert/convert.hpp"
#include "timeline/convert/message_ends.hpp"
#include "timeline/convert/message_plan.hpp"

namespace kith::timeline {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, const std::string& reason) {
  throw environment_error("cannot write " + path.string() + ": " + reason);
}

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// A file in a folder of our own, which is renamed when all of them are whole.
class FileInFolder {
 public:
  explicit FileInFolder(const fs::path& path)
      : path_(path),
        fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)),
        text_(fd_) {
    if (fd_ < 0) cannot_write(path_, reason_of(errno));
  }
  ~FileInFolder() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileInFolder(const FileInFolder&) = delete;
  FileInFolder& operator=(const FileInFolder&) = delete;
  FdWriter& text() { return text_; }
  void close() {
    if (!text_.flush()) cannot_write(path_, text_.error());
    if (::close(std::exchange(fd_, -1)) != 0) cannot_write(path_, reason_of(errno));
  }

 private:
  fs::path path_;
  int fd_;
  FdWriter text_;
};

/// Whether SimGrid has a word for the collective: not where ranks have counts of their own, which
/// are not in the timeline.
bool is_word(const Event& event) {
  if (event.bytes > INT32_MAX) return false;
  switch (event.op) {
    case Op::barrier:
    case Op::bcast:
    case Op::reduce:
    case Op::allreduce:
    case Op::scan:
    case Op::exscan:
    case Op::alltoall:
    case Op::allgather:
    case Op::gather:
    case Op::scatter:
    case Op::reduce_scatter_block:
      return true;
    default:
      return false;
  }
}

/// One rank's file. The lines are those that SimGrid 3.32 takes (smpi_replay.cpp).
class SimgridWriter : public ActionWriter {
 public:
  SimgridWriter(const fs::path& path, std::uint32_t rank, std::uint64_t envelope)
      : whole_(path), rank_(std::to_string(rank)), envelope_(envelope) {
    file_ << rank_ << " init\n";
  }
  void close() {
    file_ << rank_ << " finalize\n";
    whole_.close();
  }

  void compute(double seconds) override {
    const double flops = std::round(seconds * 1e9);
    if (flops >= 1) file_ << rank_ << " compute " << static_cast<std::uint64_t>(flops) << "\n";
  }
  void send(const PostedMessage& message, std::uint64_t bytes, bool blocking) override {
    put_message(blocking ? " send " : " isend ", message, bytes);
  }
  void receive(const PostedMessage& message, std::uint64_t bytes, bool blocking) override {
    put_message(blocking ? " recv " : " irecv ", message, bytes);
  }
  void wait(std::span<const PostedMessage> messages, bool all) override {
    // SimGrid's waitall waits for all that is under way.
    if (all && messages.size() > 1) {
      file_ << rank_ << " waitall " << messages.size() << "\n";
      return;
    }
    for (const PostedMessage& message : messages) {
      file_ << rank_ << " wait ";
      if (message.is_send) {
        file_ << rank_ << " " << std::uint64_t{message.peer};
      } else {
        file_ << std::uint64_t{message.peer} << " " << rank_;
      }
      file_ << " " << std::uint64_t{message.tag} << "\n";
    }
  }
  bool collective(const Event& event, std::uint32_t world_size) override;

 private:
  /// SimGrid counts elements in an int: large messages are of larger elements, the last bytes
  /// rounded up.
  void put_size(std::uint64_t bytes) {
    constexpr std::uint64_t long_double = 16;
    if (bytes <= INT32_MAX) {
      file_ << bytes << " 6";
    } else {
      file_ << (bytes + long_double - 1) / long_double << " 14";
    }
  }
  void put_message(std::string_view action, const PostedMessage& message, std::uint64_t bytes) {
    file_ << rank_ << action << std::uint64_t{message.peer} << " " << std::uint64_t{message.tag}
          << " ";
    put_size(bytes - std::min(bytes, envelope_));
    file_ << "\n";
  }
  void put_root(const Event& event) { file_ << " " << static_cast<std::uint64_t>(event.peer); }

  FileInFolder whole_;
  FdWriter& file_ = whole_.text();
  std::string rank_;
  std::uint64_t envelope_;
};

bool SimgridWriter::collective(const Event& event, std::uint32_t world_size) {
  if (!is_word(event)) return false;
  const std::uint64_t bytes = event.bytes;
  const auto with_one_size = [&](std::string_view name, bool computes) {
    file_ << rank_ << name << bytes << (computes ? " 0" : "");
  };
  switch (event.op) {
    case Op::barrier:
      file_ << rank_ << " barrier\n";
      return true;
    case Op::bcast:
      with_one_size(" bcast ", false);
      put_root(event);
      break;
    case Op::reduce:
      with_one_size(" reduce ", true);
      put_root(event);
      break;
    case Op::allreduce:
      with_one_size(" allreduce ", true);
      break;
    case Op::scan:
      with_one_size(" scan ", true);
      break;
    case Op::exscan:
      with_one_size(" exscan ", true);
      break;
    case Op::alltoall:
      file_ << rank_ << " alltoall " << bytes << " " << bytes << " 6 6\n";
      return true;
    case Op::allgather:
      file_ << rank_ << " allgather " << bytes << " " << bytes << " 6 6\n";
      return true;
    case Op::gather:
    case Op::scatter:
      file_ << rank_ << (event.op == Op::gather ? " gather " : " scatter ") << bytes << " "
            << bytes;
      put_root(event);
      file_ << " 6 6\n";
      return true;
    case Op::reduce_scatter_block:
      file_ << rank_ << " reducescatter";
      for (std::uint32_t i = 0; i < world_size; ++i) file_ << " " << bytes;
      file_ << " 0";
      break;
    default:
      break;
  }
  file_ << " 6\n";
  return true;
}

void write_rank(TimelineFiles& files, MessagePlan& plan, MessageEnds& ends, std::uint32_t rank,
                const fs::path& path, CollectivesAs collectives, std::uint64_t envelope,
                ConversionReport& report) {
  SimgridWriter writer(path, rank, envelope);
  if (files.has(rank)) {
    const RankTimeline timeline = replayed_part(files.read(rank));
    PairedWriter paired(writer, ends, rank);
    const LeftOut left_out = write_actions(timeline, plan, collectives, paired);
    report.left_out_messages += left_out.messages + paired.left_out();
    writer.compute(seconds_after_last(timeline));
  }
  writer.close();
}

std::string name_of_rank(std::uint32_t rank) {
  std::string digits = std::to_string(rank);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return "rank-" + digits + ".txt";
}

void write_folder(TimelineFiles& files, const fs::path& folder, const fs::path& final_name,
                  CollectivesAs collectives, std::uint64_t envelope, ConversionReport& report) {
  MessagePlan plan(files);
  report.omitted_events = plan.omitted_events();
  report.threaded_ranks = plan.threaded_ranks();
  report.missing_ranks = files.world_size() - static_cast<std::uint32_t>(files.ranks().size());
  MessageEnds ends = ends_of_all(files, plan, collectives, is_word);
  FileInFolder index(folder / "index");
  for (std::uint32_t rank = 0; rank < files.world_size(); ++rank) {
    const std::string name = name_of_rank(rank);
    write_rank(files, plan, ends, rank, folder / name, collectives, envelope, report);
    index.text() << (final_name / name).string() << "\n";
  }
  index.close();
}

/// With a name that nothing has, as AtomicFile has it for files.
fs::path new_folder_beside(const std::string& name) {
  for (int attempt = 0;; ++attempt) {
    const std::string made =
        name + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    std::error_code error;
    if (fs::create_directory(made, error)) return made;
    if (error) cannot_write(name, error.message());
  }
}

}  // namespace

ConversionReport write_simgrid_traces(TimelineFiles& files, const fs::path& out,
                                      CollectivesAs collectives, std::uint64_t envelope) {
  std::string name = out.string();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  if (fs::exists(fs::symlink_status(name))) {
    throw bad_input(out.string(), "a folder that does not exist yet", "one that does");
  }
  const fs::path temporary = new_folder_beside(name);
  ConversionReport report;
  try {
    // SimGrid opens the files by these names, wherever it is started.
    write_folder(files, temporary, fs::absolute(name), collectives, envelope, report);
    fs::rename(temporary, name);
  } catch (const fs::filesystem_error& failed) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    cannot_write(out, failed.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    throw;
  }
  return report;
}

}  // namespace kith::timeline
