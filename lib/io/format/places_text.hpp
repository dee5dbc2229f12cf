// Where each rank runs, as lines of text between a job and `kith run --check`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith {

/// A process as people look for it.
struct PlacedRank {
  std::uint32_t rank = 0;           ///< that the program sees
  std::uint32_t launcher_rank = 0;  ///< the launcher's
  std::string host;
  std::uint32_t place = 0;  ///< among the job's processes on its host, from 0
  std::string cpus;         ///< that it may run on, "0-3,8"; empty: not known
};

/// By rank of the program.
std::vector<PlacedRank> placed_ranks(const JobDescription& job);

/// A table with a line for each rank under a header, for people: "rank  launcher rank  host ...".
std::vector<std::string> places_table(const std::vector<PlacedRank>& places);

/// What a check found.
struct CheckReport {
  std::uint32_t ranks = 0;             ///< of the job, as its first rank knows it
  std::vector<PlacedRank> places;      ///< empty where ranks are missing
  std::vector<std::uint32_t> missing;  ///< launcher ranks that did not load Kith, ascending
  std::string missing_reason;          ///< that in words
  std::uint32_t worlds = 1;            ///< that the launcher's processes are
  std::string worlds_reason;           ///< why more than one, in words
  bool order_asked = false;            ///< --reorder
  bool order_applied = false;          ///< and there is one
  bool order_failed = false;           ///< it could not be made, for another reason than no gain
  std::string order_reason;            ///< one sentence
  std::vector<std::string> binding;    ///< what is wrong with it, a line each
};

/// Lines with a mark of their own, each to be written at once: launchers put words before lines and
/// other lines between.
std::string check_report_text(const CheckReport& report);

/// Puts it together again from a program's output.
class CheckReportReader {
 public:
  /// One line without its end; false: the line has another form.
  bool take(std::string_view line);
  /// How many reports began: more than one where ranks do not know of each other.
  unsigned begun() const { return begun_; }
  /// Once the end of the first has been read.
  bool complete() const { return complete_; }
  const CheckReport& report() const { return report_; }

 private:
  CheckReport report_;
  unsigned begun_ = 0;
  bool complete_ = false;
};

}  // namespace kith
