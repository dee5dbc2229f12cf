#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/fd_writer.hpp"
#include "timeline/convert/convert.hpp"
#include "timeline/convert/message_ends.hpp"
#include "timeline/convert/message_plan.hpp"

namespace kith::timeline {
namespace {

/// One rank's block. What comes next in a thread requires its frontier: the last operation, and what
/// was waited for since.
class GoalWriter : public ActionWriter {
 public:
  explicit GoalWriter(FdWriter& file) : file_(file) {}

  bool keeps_threads() const override { return true; }
  void enter_thread(std::size_t thread) override {
    if (thread >= frontiers_.size()) frontiers_.resize(thread + 1);
    thread_ = thread;
  }

  void compute(double seconds) override {
    const double ns = std::round(seconds * 1e9);
    if (ns < 1) return;
    const std::uint64_t label = begin_line();
    file_ << "calc " << static_cast<std::uint64_t>(ns) << "\n";
    require_frontier(label);
    frontier() = {label};
  }
  void send(const PostedMessage& message, std::uint64_t bytes, bool blocking) override {
    put_message("send ", "b to ", message, bytes, blocking);
  }
  void receive(const PostedMessage& message, std::uint64_t bytes, bool blocking) override {
    put_message("recv ", "b from ", message, bytes, blocking);
  }
  void wait(std::span<const PostedMessage> messages, bool) override {
    for (const PostedMessage& message : messages) {
      const auto label = labels_.find(message.label);
      frontier().push_back(label->second);
      labels_.erase(label);
    }
    if (frontier().size() <= 2) return;
    // One operation without length to require from here on.
    const std::uint64_t label = begin_line();
    file_ << "calc 0\n";
    require_frontier(label);
    frontier() = {label};
  }
  bool collective(const Event&, std::uint32_t) override { return false; }

 private:
  std::vector<std::uint64_t>& frontier() { return frontiers_[thread_]; }
  std::uint64_t begin_line() {
    file_ << "l" << ++last_ << ": ";
    return last_;
  }
  void require_frontier(std::uint64_t label) {
    for (const std::uint64_t required : frontier()) {
      file_ << "l" << label << " requires l" << required << "\n";
    }
  }
  void put_message(std::string_view action, std::string_view between, const PostedMessage& message,
                   std::uint64_t bytes, bool blocking) {
    const std::uint64_t label = begin_line();
    file_ << action << bytes << between << std::uint64_t{message.peer} << " tag "
          << std::uint64_t{message.tag} << "\n";
    require_frontier(label);
    if (blocking) {
      frontier() = {label};
    } else {
      labels_[message.label] = label;
    }
  }

  FdWriter& file_;
  std::uint64_t last_ = 0;
  std::vector<std::vector<std::uint64_t>> frontiers_{1};  ///< by thread
  std::size_t thread_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> labels_;  ///< of messages under way
};

void write_goal_rank(const RankTimeline& timeline, MessagePlan& plan, MessageEnds& ends,
                     FdWriter& out, ConversionReport& report) {
  GoalWriter writer(out);
  PairedWriter paired(writer, ends, timeline.rank);
  const LeftOut left_out = write_actions(timeline, plan, CollectivesAs::messages, paired);
  report.left_out_messages += left_out.messages + paired.left_out();
  writer.enter_thread(last_thread(timeline));
  writer.compute(seconds_after_last(timeline));
}

}  // namespace

ConversionReport write_goal(TimelineFiles& files, FdWriter& out) {
  ConversionReport report;
  MessagePlan plan(files);
  MessageEnds ends =
      ends_of_all(files, plan, CollectivesAs::messages, [](const Event&) { return false; });
  report.omitted_events = plan.omitted_events();
  report.missing_ranks = files.world_size() - static_cast<std::uint32_t>(files.ranks().size());
  out << "num_ranks " << std::uint64_t{files.world_size()} << "\n";
  for (std::uint32_t rank = 0; rank < files.world_size() && out.ok(); ++rank) {
    out << "\nrank " << std::uint64_t{rank} << " {\n";
    if (files.has(rank)) {
      write_goal_rank(replayed_part(files.read(rank)), plan, ends, out, report);
    }
    out << "}\n";
  }
  return report;
}

}  // namespace kith::timeline
