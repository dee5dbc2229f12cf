#include "launch/trace_watch.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/plain_text.hpp"
#include "io/format/trace_name.hpp"
#include "io/format/trace_text.hpp"
#include "io/launch/launch_file.hpp"
#include "launch/job_mark.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

using std::chrono::milliseconds;

/// Another host may have written it: here it is seen a little later.
constexpr milliseconds patience_for_file{500};
constexpr milliseconds between_looks{50};

}  // namespace

TraceWatch::Found TraceWatch::find_all(const std::string& pattern) {
  Found found;
  glob_t names{};
  if (::glob(pattern.c_str(), 0, nullptr, &names) == 0) {
    for (std::size_t i = 0; i < names.gl_pathc; ++i) {
      struct stat one {};
      if (::stat(names.gl_pathv[i], &one) == 0) found.emplace(names.gl_pathv[i], one.st_ino);
    }
  }
  ::globfree(&names);
  return found;
}

/// One that was not there before; empty: none is.
std::string TraceWatch::new_one(const std::string& pattern, const Found& before) {
  for (const auto& [name, file] : find_all(pattern)) {
    const auto known = before.find(name);
    if (known == before.end() || known->second != file) return name;
  }
  return {};
}

std::string TraceWatch::appearing(const std::string& pattern, const Found& before) {
  for (milliseconds waited{0}; waited <= patience_for_file; waited += between_looks) {
    if (std::string name = new_one(pattern, before); !name.empty()) return name;
    std::this_thread::sleep_for(between_looks);
  }
  return {};
}

TraceWatch::TraceWatch(std::string trace, std::string likely_cause)
    : name_(std::move(trace)),
      likely_cause_(std::move(likely_cause)),
      trace_(trace_directory_pattern(name_)),
      partial_(trace_ + trace_names::partial_suffix),
      traces_before_(find_all(trace_)),
      partials_before_(find_all(partial_)) {}

std::string TraceWatch::older_one() const {
  const bool may_be_many = name_.find('%') != std::string::npos;
  if (traces_before_.empty() || may_be_many) return {};
  return fmt::format("; {} is of an earlier run", traces_before_.begin()->first);
}

void TraceWatch::tell_of_end(const std::string& failure, bool is_quiet) const {
  if (const std::string trace = appearing(trace_, traces_before_); !trace.empty()) {
    if (is_quiet) return;
    std::error_code error;  // the folder may be gone
    const std::filesystem::path here = std::filesystem::current_path(error);
    const std::string near = std::filesystem::path(trace).lexically_proximate(here).string();
    const std::string& name = error || near.starts_with("..") ? trace : near;
    tell(fmt::format("recorded: {}; next: kith info {}", name, shell_word(printable(name))));
    return;
  }
  if (const std::string partial = new_one(partial_, partials_before_); !partial.empty()) {
    tell(
        fmt::format("what was recorded is in {}: the job ended before MPI_Finalize, or, where Kith "
                    "has said why, its trace could not be written{}",
                    partial, older_one()));
    return;
  }
  const std::string usual =
      fmt::format("no process of the job called MPI_Init under Kith: {}", why_none_joins);
  const std::string cause = !likely_cause_.empty() ? likely_cause_
                            : failure.empty()
                                ? fmt::format("If Kith said nothing else, {}", usual)
                                : fmt::format("If it did start the program, {}", usual);
  const std::string older = older_one();
  tell(fmt::format("nothing was recorded: {}{}. {}",
                   older.empty() ? "there is no " + name_ : "no new " + name_ + older,
                   failure.empty() ? "" : fmt::format("; the launcher ended with {}", failure),
                   cause));
}

}  // namespace kith::tools
