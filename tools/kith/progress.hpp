// What a long operation is doing, for whoever waits at a terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace kith::tools {

/// What is being done and for how long, on one line of stderr that is redrawn and removed at the
/// end. It appears after the first second. Nothing where stderr is not a terminal, or a dumb one.
/// Objects nest: the one made last is shown, then again the one before.
class Progress {
 public:
  /// Silent until show().
  Progress();
  explicit Progress(std::string_view doing) : Progress() { show(doing); }
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether anybody would see it.
  static bool visible();

  /// From here on it is `doing`; the time counts on.
  void show(std::string_view doing) noexcept;
  /// Nothing is being done any more.
  void clear() noexcept { show({}); }

  /// What a line says.
  struct Activity {
    std::string doing;  ///< empty: no line
    std::chrono::steady_clock::time_point since;
  };

 private:
  Activity outer_;
  std::chrono::steady_clock::time_point since_;
};

/// Removes the line until it is redrawn: for what writes to the terminal.
void hide_progress() noexcept;

}  // namespace kith::tools
