// The figures of the papers, worked out again: `kith study NAME` prints each beside ours.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kith::tools {

/// What `kith study` is asked for.
struct StudyOptions {
  bool full = false;  ///< the paper's whole range, which may take minutes or hours
  std::uint64_t seed = 1;
};

/// What a study found, row by row.
class StudyReport {
 public:
  struct Row {
    std::string what;
    std::string paper;  ///< "-" where the paper gives no number
    std::string ours;
  };
  /// `on_row` hears of each heading and row, as "WHAT".
  explicit StudyReport(std::function<void(std::string_view what)> on_row)
      : on_row_(std::move(on_row)) {}

  /// A heading for the rows that follow.
  void section(std::string text) { row(std::move(text), "", ""); }
  void row(std::string what, std::string paper, std::string ours) {
    rows_.push_back({std::move(what), std::move(paper), std::move(ours)});
    on_row_(rows_.back().what);
  }
  /// A remark below the table.
  void note(std::string text) { notes_.push_back(std::move(text)); }

  std::span<const Row> rows() const { return rows_; }
  std::span<const std::string> notes() const { return notes_; }

 private:
  std::function<void(std::string_view)> on_row_;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

struct Study {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view source;   ///< the paper, with its figure or table
  void (*run)(const StudyOptions& options, StudyReport& report);
};

extern const Study bindme_study;
extern const Study choicemap_study;
extern const Study eagermap_study;
extern const Study gsearch_study;
extern const Study optimal_study;
extern const Study topolb_network_study;
extern const Study topolb_study;
extern const Study topomatch_study;

/// In the order of `kith study`.
std::span<const Study> studies();

}  // namespace kith::tools
