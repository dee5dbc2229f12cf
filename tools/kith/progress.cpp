#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "output.hpp"

namespace kith::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds silent_time{1};  // what is over sooner needs no line
constexpr std::chrono::milliseconds step{200};

/// The one line, drawn by a thread of its own: whoever works does not have to think of it.
class Line {
 public:
  static Line& get() {
    static Line line;
    return line;
  }

  ~Line() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    if (painter_.joinable()) painter_.join();
  }

  Progress::Activity current() {
    const std::lock_guard lock(mutex_);
    return activity_;
  }

  void set(Progress::Activity activity) {
    const std::lock_guard lock(mutex_);
    activity_ = std::move(activity);
    if (activity_.doing.empty()) hide();
    if (!activity_.doing.empty() && !painter_.joinable()) start_painter();
  }

  void remove() {
    const std::lock_guard lock(mutex_);
    hide();
  }

 private:
  /// Without signals: a thread takes them from the one that waits for them, the end of a child too.
  void start_painter() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      painter_ = std::thread([this] { paint(); });
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void paint() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      changed_.wait_for(lock, step);
      if (!ends_) draw();
    }
    hide();
  }

  void draw() {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - activity_.since);
    if (activity_.doing.empty() || seconds < silent_time) return;
    std::string text = fmt::format("kith: {}", activity_.doing);
    const std::string time = fmt::format(", {} s", seconds.count());
    const std::size_t columns = terminal_of(STDERR_FILENO).columns;
    const std::size_t room = columns > time.size() + 1 ? columns - time.size() - 1 : 0;
    text = std::string(cut_to_columns(text, room)) + time;
    if (text == drawn_) return;
    write("\r\x1b[K" + text);
    drawn_ = std::move(text);
  }

  void hide() {
    if (!drawn_.empty()) write("\r\x1b[K");
    drawn_.clear();
  }

  static void write(const std::string& text) {
    // A terminal that is gone misses nothing.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Progress::Activity activity_;
  std::string drawn_;
  bool ends_ = false;
  std::thread painter_;
};

}  // namespace

Progress::Progress() : since_(Clock::now()) {
  if (visible()) outer_ = Line::get().current();
}

Progress::~Progress() {
  if (!visible()) return;
  try {
    Line::get().set(outer_);
  } catch (...) {  // a line less
  }
}

bool Progress::visible() {
  static const bool is_visible = [] {
    const Terminal terminal = terminal_of(STDERR_FILENO);
    return terminal.is_terminal && !terminal.is_dumb;
  }();
  return is_visible;
}

void Progress::show(std::string_view doing) noexcept {
  if (!visible()) return;
  try {
    Line::get().set({printable(doing), since_});
  } catch (...) {  // a line less
  }
}

void hide_progress() noexcept {
  if (!Progress::visible()) return;
  try {
    Line::get().remove();
  } catch (...) {  // it stays
  }
}

}  // namespace kith::tools
