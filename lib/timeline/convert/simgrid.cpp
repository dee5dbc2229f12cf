#include <stdlib.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

#include "kith/error.hpp"
#include "timeline/convert/convert.hpp"
#include "timeline/convert/message_plan.hpp"
#include "timeline/convert/text_file.hpp"

namespace kith::timeline {
namespace {

namespace fs = std::filesystem;

/// One rank's file. The lines are those that SimGrid 3.32 takes (smpi_replay.cpp).
class SimgridWriter : public ActionWriter {
 public:
  SimgridWriter(const fs::path& path, std::uint32_t rank)
      : file_(path), rank_(std::to_string(rank)) {
    file_ << rank_ << " init\n";
  }
  void close() {
    file_ << rank_ << " finalize\n";
    file_.close();
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
    put_size(bytes);
    file_ << "\n";
  }
  void put_root(const Event& event) { file_ << " " << static_cast<std::uint64_t>(event.peer); }

  TextFile file_;
  std::string rank_;
};

bool SimgridWriter::collective(const Event& event, std::uint32_t world_size) {
  if (event.bytes > INT32_MAX) return false;
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
    default:  // each rank's counts are not in the timeline
      return false;
  }
  file_ << " 6\n";
  return true;
}

void write_rank(TimelineFiles& files, MessagePlan& plan, std::uint32_t rank, const fs::path& path,
                CollectivesAs collectives, ConversionReport& report) {
  SimgridWriter writer(path, rank);
  if (files.has(rank)) {
    report.left_out_messages +=
        write_actions(files.read(rank), plan, collectives, writer).messages;
  }
  writer.close();
}

std::string name_of_rank(std::uint32_t rank) {
  std::string digits = std::to_string(rank);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return "rank-" + digits + ".txt";
}

void write_folder(TimelineFiles& files, const fs::path& folder, const fs::path& final_name,
                  CollectivesAs collectives, ConversionReport& report) {
  MessagePlan plan(files);
  report.omitted_events = plan.omitted_events();
  report.threaded_ranks = plan.threaded_ranks();
  report.missing_ranks = files.world_size() - static_cast<std::uint32_t>(files.ranks().size());
  TextFile index(folder / "index");
  for (std::uint32_t rank = 0; rank < files.world_size(); ++rank) {
    const std::string name = name_of_rank(rank);
    write_rank(files, plan, rank, folder / name, collectives, report);
    index << (final_name / name).string() << "\n";
  }
  index.close();
}

}  // namespace

ConversionReport write_simgrid_traces(TimelineFiles& files, const fs::path& out,
                                      CollectivesAs collectives) {
  std::string name = out.string();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  if (fs::exists(fs::symlink_status(name))) {
    throw bad_input(out.string(), "a folder that does not exist yet", "one that does");
  }
  std::string made = name + ".XXXXXX";  // a new folder, whatever else is there
  if (mkdtemp(made.data()) == nullptr) {
    throw environment_error("cannot make " + made + ": " + std::strerror(errno));
  }
  const fs::path temporary = made;
  std::error_code error;
  fs::permissions(temporary, fs::perms::all & ~fs::perms::group_write & ~fs::perms::others_write,
                  error);
  ConversionReport report;
  try {
    // SimGrid opens the files by these names, wherever it is started.
    write_folder(files, temporary, fs::absolute(name), collectives, report);
    fs::rename(temporary, name, error);
    if (error) throw environment_error("cannot make " + out.string() + ": " + error.message());
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
  return report;
}

}  // namespace kith::timeline
