#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "core/fd_writer.hpp"
#include "timeline/activity.hpp"
#include "timeline/convert/convert.hpp"
#include "timeline/convert/message_arrows.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

/// By Activity.
constexpr std::array<const char*, activity_count> categories{
    "computing", "point-to-point", "completion", "collective", "one-sided", "setup", "file"};

/// Microseconds with three digits behind the point.
std::string microseconds(double seconds) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), seconds * 1e6,
                                 std::chars_format::fixed, 3);
  return {text.data(), end.ptr};
}

/// Not every receive tells how much came; a completion has the bytes of no message.
bool knows_bytes(const Event& event) {
  const Op op = event.op;
  return event.bytes > 0 ||
         !(is_receive(op) || is_completion(op) || is_in(op, Op::probe, Op::improbe));
}

class ChromeTrace {
 public:
  ChromeTrace(TimelineFiles& files, FdWriter& out, const ChromeTraceOptions& options)
      : files_(files),
        options_(options),
        file_(out),
        share_(std::max<std::uint64_t>(1, options.most_slices / files.ranks().size())) {}

  ChromeTraceReport write() {
    report_.whole_until = options_.to;
    file_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    for (const std::uint32_t rank : files_.ranks()) {
      if (file_.ok()) put_rank(files_.read(rank));
    }
    if (file_.ok()) put_arrows();
    file_ << "\n],\"otherData\":{\"producer\":\"kith\",\"slices\":" << report_.slices
          << ",\"most slices of a rank\":" << share_
          << ",\"ranks cut there\":" << std::uint64_t{report_.cut_ranks} << "}}\n";
    return report_;
  }

 private:
  void begin_event() { file_ << (std::exchange(first_, false) ? "" : ",\n"); }
  void put_name(std::string_view what, std::uint32_t rank, std::uint64_t track,
                std::string_view name) {
    begin_event();
    file_ << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << std::uint64_t{rank}
          << ",\"tid\":" << track << ",\"args\":{\"name\":\"" << name << "\"}}";
  }
  void begin_slice(std::string_view name, std::string_view category, std::uint32_t rank,
                   std::uint64_t track, double begin, double end) {
    begin_event();
    file_ << "{\"ph\":\"X\",\"name\":\"" << name << "\",\"cat\":\"" << category
          << "\",\"pid\":" << std::uint64_t{rank} << ",\"tid\":" << track
          << ",\"ts\":" << microseconds(begin) << ",\"dur\":" << microseconds(end - begin);
    ++report_.slices;
  }
  void put_rank(const RankTimeline& timeline);
  void put_thread(const RankTimeline& timeline, std::size_t thread, std::uint64_t share);
  void put_step(const RankTimeline& timeline, std::size_t thread, const Step& step);
  void put_arrows();
  void put_arrow_end(const char* kind, const ArrowEnd& end, std::uint64_t id);
  void put_phase(const RankTimeline& timeline, double begin, double end, std::int32_t number);

  TimelineFiles& files_;
  ChromeTraceOptions options_;
  FdWriter& file_;
  std::uint64_t share_;
  bool first_ = true;
  ChromeTraceReport report_;
};

void ChromeTrace::put_rank(const RankTimeline& timeline) {
  put_name("process_name", timeline.rank, 0, "rank " + std::to_string(timeline.rank));
  for (std::size_t thread = 0; thread < timeline.threads.size(); ++thread) {
    put_name("thread_name", timeline.rank, thread, "thread " + std::to_string(thread));
    put_thread(timeline, thread, std::max<std::uint64_t>(1, share_ / timeline.threads.size()));
  }
}

void ChromeTrace::put_phase(const RankTimeline& timeline, double begin, double end,
                            std::int32_t number) {
  const std::uint64_t track = timeline.threads.size();
  const auto index = static_cast<std::size_t>(number) - 1;
  const std::string name =
      index < options_.phases.size() ? options_.phases[index] : "phase " + std::to_string(number);
  begin_slice(name, "phase", timeline.rank, track, begin, end);
  file_ << "}";
}

void ChromeTrace::put_step(const RankTimeline& timeline, std::size_t thread, const Step& step) {
  const Event& event = *step.event;
  const double begin = timeline.init_seconds + step.begin;
  const double asleep = begin - step.asleep;
  if (step.before > 0) {
    begin_slice("computing", "computing", timeline.rank, thread, asleep - step.before, asleep);
    file_ << "}";
  }
  if (step.asleep > 0) {
    begin_slice("asleep or no processor", "asleep", timeline.rank, thread, asleep, begin);
    file_ << "}";
  }
  begin_slice(name_of(event.op), categories[static_cast<std::size_t>(activity_of(event.op))],
              timeline.rank, thread, begin, begin + step.inside);
  file_ << ",\"args\":{";
  if (knows_bytes(event)) file_ << "\"bytes\":" << event.bytes << ",";
  if (event.peer != no_peer) {
    const bool root = is_collective(event.op);
    const std::int64_t peer = root ? event.peer : std::int64_t{timeline.rank} + event.peer;
    file_ << (root ? "\"root\":" : "\"peer\":") << std::to_string(peer) << ",";
  }
  if (is_send(event.op) || is_receive(event.op)) {
    file_ << "\"tag\":" << std::to_string(event.tag) << ",";
  }
  file_ << "\"communicator\":" << std::uint64_t{event.comm} << "}}";
}

void ChromeTrace::put_thread(const RankTimeline& timeline, std::size_t thread,
                             std::uint64_t share) {
  const double init = timeline.init_seconds;
  double phase_begin = std::max(options_.from, init);
  std::uint64_t steps = 0;
  Unroller(timeline.threads[thread], options_.from - init).for_each([&](const Step& step) {
    const double begin = init + step.begin;
    if (begin - step.asleep - step.before > options_.to) return false;
    if (++steps > share) {
      ++report_.cut_ranks;
      report_.whole_until = std::min(report_.whole_until, begin);
      return false;
    }
    // Nobody knows the phase of what was left out.
    if (step.omitted > 0) {
      phase_begin = std::max(phase_begin, begin - step.asleep - step.before);
    }
    if (step.event->op == Op::phase) {
      // It ends what has been since the one before.
      if (begin > phase_begin) put_phase(timeline, phase_begin, begin, step.event->tag);
      phase_begin = std::max(phase_begin, begin);
    } else {
      put_step(timeline, thread, step);
    }
    return true;
  });
}

// Behind all slices: an arrow belongs to the slice that it lies in.
void ChromeTrace::put_arrows() {
  report_.follows_messages = may_follow_messages(files_);
  if (!report_.follows_messages) return;
  for (const MessageArrow& arrow : message_arrows(files_, {options_.from, options_.to, share_})) {
    const std::uint64_t id = ++report_.arrows;
    put_arrow_end("\"s\"", arrow.from, id);
    put_arrow_end("\"f\",\"bp\":\"e\"", arrow.to, id);
  }
}

void ChromeTrace::put_arrow_end(const char* kind, const ArrowEnd& end, std::uint64_t id) {
  begin_event();
  file_ << "{\"ph\":" << kind << ",\"name\":\"message\",\"cat\":\"message\",\"id\":" << id
        << ",\"pid\":" << std::uint64_t{end.rank} << ",\"tid\":" << std::uint64_t{end.thread}
        << ",\"ts\":" << microseconds(end.time) << "}";
}

}  // namespace

ChromeTraceReport write_chrome_trace(TimelineFiles& files, FdWriter& out,
                                     const ChromeTraceOptions& options) {
  return ChromeTrace(files, out, options).write();
}

}  // namespace kith::timeline
