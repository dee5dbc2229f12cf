#include "launch/trace_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/plain_text.hpp"
#include "io/format/trace_name.hpp"
#include "io/format/trace_text.hpp"
#include "io/launch/launch_file.hpp"
#include "io/trace_files.hpp"
#include "kith/error.hpp"
#include "launch/job_mark.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

using std::chrono::milliseconds;

/// Another host may have written it: here it is seen a little later.
constexpr milliseconds patience_for_file{500};
constexpr milliseconds between_looks{50};

/// No other `kith run` has this number, except for those in a script that this one starts: they are
/// part of the same run.
std::string number_of_run() {
  if (const char* const given = std::getenv("KITH_RUN_NUMBER")) return given;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:x}-{:x}", static_cast<unsigned long long>(now.count()), ::getpid());
}

/// From the present folder, where it is in or below that.
std::string near_name(const std::string& name) {
  std::error_code error;  // the folder may be gone
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::string near = std::filesystem::path(name).lexically_proximate(here).string();
  return error || near.starts_with("..") ? name : near;
}

/// With the ending that the directory has.
std::string whole_name(const std::string& name) {
  return name.ends_with(trace_names::directory_suffix) ? name
                                                       : name + trace_names::directory_suffix;
}

}  // namespace

TraceWatch::Found TraceWatch::find_all(const std::string& pattern) {
  Found found;
  glob_t names{};
  if (::glob(pattern.c_str(), 0, nullptr, &names) == 0) {
    for (std::size_t i = 0; i < names.gl_pathc; ++i) {
      struct stat one {};
      if (::stat(names.gl_pathv[i], &one) != 0) continue;
      found.emplace(names.gl_pathv[i], File{one.st_ino, one.st_ctim.tv_sec, one.st_ctim.tv_nsec});
    }
  }
  ::globfree(&names);
  return found;
}

bool TraceWatch::is_of_another(const std::string& trace) const {
  try {
    const JsonFile meta(std::filesystem::path(trace) / trace_names::meta);
    const auto launch = meta.root().find("launch");
    return launch && launch->text() != number_;
  } catch (const Error&) {
    return false;
  }
}

TraceWatch::Names TraceWatch::new_ones(const std::string& pattern, const Found& before) const {
  Names names;
  for (const auto& [name, file] : find_all(pattern)) {
    const auto known = before.find(name);
    const bool is_new = known == before.end() || known->second != file;
    if (is_new && !is_of_another(name)) names.push_back(name);
  }
  // %p counts up: 9 comes before 10.
  std::ranges::stable_sort(names, {}, &std::string::size);
  return names;
}

TraceWatch::Names TraceWatch::appearing(const std::string& pattern, const Found& before) const {
  for (milliseconds waited{0}; waited <= patience_for_file; waited += between_looks) {
    if (Names names = new_ones(pattern, before); !names.empty()) return names;
    std::this_thread::sleep_for(between_looks);
  }
  return {};
}

TraceWatch::TraceWatch(std::string trace, std::string likely_cause)
    : number_(number_of_run()),
      name_(std::move(trace)),
      likely_cause_(std::move(likely_cause)),
      trace_(trace_directory_pattern(name_)),
      partial_(trace_ + trace_names::partial_suffix),
      traces_before_(find_all(trace_)),
      partials_before_(find_all(partial_)) {
  ::setenv("KITH_RUN_NUMBER", number_.c_str(), 1);
}

TraceWatch::TraceWatch(std::string trace, NoMpi no_mpi) : TraceWatch(std::move(trace), "") {
  no_mpi_ = no_mpi;
}

std::string TraceWatch::older_one() const {
  const bool may_be_many = name_.find("%p") != std::string::npos;
  if (may_be_many) return {};
  for (const auto& [name, file] : find_all(trace_)) {
    if (is_of_another(name) && !traces_before_.contains(name)) {
      return fmt::format("; {} is of another job that ran meanwhile", name);
    }
  }
  if (traces_before_.empty()) return {};
  return fmt::format("; {} is of an earlier run", traces_before_.begin()->first);
}

void TraceWatch::tell_of_end(const std::string& failure, bool is_quiet) const {
  const bool may_lack = no_mpi_ == NoMpi::is_fine;  // then there is nothing to wait for
  const Names traces =
      may_lack ? new_ones(trace_, traces_before_) : appearing(trace_, traces_before_);
  if (!traces.empty()) {
    if (is_quiet) return;
    constexpr std::size_t most_named = 4;
    const std::size_t named = traces.size() <= most_named ? traces.size() : most_named - 1;
    Names near;
    for (std::size_t i = 0; i < named; ++i) near.push_back(near_name(traces[i]));
    tell(
        fmt::format("recorded: {}{}; next: kith info {}", fmt::join(near, ", "),
                    named < traces.size() ? fmt::format(" and {} more", traces.size() - named) : "",
                    shell_word(printable(near.front()))));
    return;
  }
  if (const Names partials = new_ones(partial_, partials_before_); !partials.empty()) {
    tell(fmt::format(
        "what was recorded is in {}: the job ended before MPI_Finalize (or its trace could "
        "not be written, which a line above says){}; next: kith info {}",
        partials.front(), older_one(), shell_word(printable(near_name(partials.front())))));
    return;
  }
  if (may_lack) return;
  const std::string usual =
      fmt::format("no process of the job called MPI_Init under Kith: {}", why_none_joins);
  const std::string cause = !likely_cause_.empty() ? likely_cause_
                            : failure.empty() ? fmt::format("If Kith said nothing else, {}", usual)
                                              : std::string(why_none_of_failed);
  const std::string older = older_one();
  tell(fmt::format("nothing was recorded: {}{}. {}",
                   (older.empty() ? "there is no " : "no new ") + whole_name(name_) + older,
                   failure.empty() ? "" : fmt::format("; the launcher ended with {}", failure),
                   cause));
}

}  // namespace kith::tools
