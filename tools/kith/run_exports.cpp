#include "run_exports.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "core/batch_job.hpp"
#include "core/did_you_mean.hpp"
#include "inputs.hpp"
#include "io/format/trace_name.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "kith/machine.hpp"
#include "machine/sources.hpp"
#include "options.hpp"
#include "output.hpp"
#include "profile/profile.hpp"
#include "threads/binding_plan.hpp"

namespace kith::tools {

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<PassedSetting> either(const std::optional<std::string>& option, std::string_view name,
                                    const char* fallback) {
  if (option) return PassedSetting{*option, name};
  const auto value = variable(fallback);
  if (!value || value->empty()) return std::nullopt;
  return PassedSetting{*value, fallback};
}

namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

/// "%q" is taken for one of the marks that other programs have.
void check_marks(const PassedSetting& name) {
  const std::string last = fs::path(name.value).filename().string();
  for (std::size_t at = 0; (at = last.find('%', at)) != last.npos; ++at) {
    const std::string mark = last.substr(at, 2);
    if (mark == "%j" || mark == "%p") continue;
    throw bad_input(name.where, "%j (the batch job's number) or %p (a counter) behind a name",
                    fmt::format("{} in {}", mark, name.value));
  }
}

/// The trace's directory, checked now rather than after hours: new (or to be replaced), and in a
/// folder that can be written. The library checks again at MPI_Init.
std::string checked_trace(const PassedSetting& name, bool force) {
  if (name.value.empty()) throw bad_input(name.where, "a name for the trace", "an empty one");
  // What is open is filled in by the job, which may be another one of the batch system than this.
  // The number of a batch job is that of this one, where there is one.
  const bool has_count = name.value.find("%p") != name.value.npos;
  const bool is_open = is_open_trace_name(name.value) && (has_count || batch_job_number().empty());
  const std::string path = is_open ? absolute(name.value) : trace_directory_of(name.value);
  // Outside a batch job most launchers start a job that has no number either.
  const std::string expected = has_count ? path : trace_directory_of(name.value);
  const std::string parent = fs::path(path).parent_path().string();
  if (is_open_trace_name(parent)) {
    throw bad_input(name.where, "%j and %p in the last part of the path", name.value);
  }
  check_marks(name);
  const auto cannot = [&](const std::string& what) {
    return environment_error(fmt::format("{}: cannot write {}: {}", name.where, what,
                                         std::generic_category().message(errno)));
  };
  for (const std::string& taken : {expected, expected + trace_names::partial_suffix}) {
    if (has_count) break;
    struct stat existing {};
    if (::lstat(taken.c_str(), &existing) == 0) {
      if (!force) throw bad_input(name.where, "a new name, or --force to replace", taken);
      if (::access((taken + "/" + trace_names::meta).c_str(), F_OK) != 0) {
        throw bad_input("--force", "a trace to replace", taken + ", which is not a trace");
      }
      if (::access(taken.c_str(), W_OK | X_OK) != 0) throw cannot(taken);
    } else if (errno != ENOENT) {
      throw cannot(taken);
    }
  }
  if (::access(parent.c_str(), W_OK | X_OK) != 0) throw cannot("into " + parent);
  return path;
}

bool is_of_job(std::string_view spec) {
  return spec == "job" || spec.starts_with("job;");
}

/// Null: the job's own.
std::unique_ptr<Machine> machine_of(const std::optional<PassedSetting>& topology) {
  if (!topology || is_of_job(topology->value)) return nullptr;
  return parse_machine(topology->value, nullptr, topology->where);
}

/// Where a mapping has slots that the job does not: what to do about it.
std::string other_machine_hint(const MappingFile& file,
                               const std::optional<PassedSetting>& topology) {
  if (!file.topology || is_of_job(*file.topology)) return "";
  return fmt::format(
      " (the mapping is for {}: {}--topology with ;nodes= or ;slots= behind it says which of its "
      "slots are the job's)",
      *file.topology, topology ? "" : "name that machine, too; ");
}

/// One rank on the place of each launcher rank, as the job will want it: slots 0 .. ranks-1 of the
/// job, or the first `ranks` allowed ones of the machine that is given.
void check_order(const MappingFile& mapping_file, const std::optional<PassedSetting>& topology,
                 const std::string& file) {
  const Mapping& mapping = mapping_file.mapping;
  const auto machine = machine_of(topology);
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> rank_on(mapping.ranks(), none);
  for (std::uint32_t rank = 0; rank < mapping.ranks(); ++rank) {
    const Slot slot = mapping[Rank(rank)];
    const auto refuse = [&](const std::string& expected, const std::string& found) {
      throw bad_place(file, rank, expected, found);
    };
    std::uint64_t place = slot.value;
    if (machine) {
      if (!machine->allowed().contains(slot)) {
        refuse(fmt::format("a slot that {} allows", topology->value),
               fmt::format("slot {}", slot.value));
      }
      place = machine->allowed().index_of(slot);
    }
    if (place >= mapping.ranks()) {
      refuse(machine ? fmt::format("one of the first {} slots of {}, which hold the ranks",
                                   mapping.ranks(), topology->value)
                     : fmt::format("a slot below {}, the number of ranks", mapping.ranks()),
             fmt::format("slot {}", slot.value) + other_machine_hint(mapping_file, topology));
    }
    if (rank_on[place] != none) {
      refuse(fmt::format("each slot for one rank (line {} has this one)",
                         line_of_rank(file, rank_on[place])),
             fmt::format("slot {} again", slot.value));
    }
    rank_on[place] = rank;
  }
}

bool is_present(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(fs::symlink_status(path, unknown));
}

/// A mapping, or a trace to be mapped at MPI_Init; read once here so that a broken one costs
/// nothing.
std::string checked_reorder(const PassedSetting& name,
                            const std::optional<PassedSetting>& topology) {
  if (name.value == "auto") return name.value;
  if (name.value.empty()) throw bad_input(name.where, "a mapping or a trace", "an empty name");
  if (is_mapping_file(name.value)) {
    const MappingFile file = read_mapping(name.value);
    check_order(file, topology, name.value);
    const auto machine = machine_of(topology);
    if (topology && file.topology && *file.topology != topology->value &&
        file.whole_topology() != topology->value &&
        (!machine || file.whole_topology() != machine->spec())) {
      tell(fmt::format("warning: {} was made for {}, and is applied as it stands, not for {}",
                       name.value, *file.topology, topology->value));
    }
    return absolute(name.value);
  }
  const fs::path file = name.value;
  const fs::path trace = name.value + trace_names::directory_suffix;
  if (!find_trace(file) && !is_present(file) && !is_present(trace)) {
    throw bad_input(name.where,
                    "auto, a mapping file (kith map -o), or a trace (NAME or NAME.kith)",
                    name.value + ", which does not exist" +
                        did_you_mean(name.value, std::array{std::string("auto")}));
  }
  return absolute(read_named_trace(name.value).path.string());
}

/// Files in a SPEC are named from here, but read where the ranks run: made absolute.
std::string with_absolute_files(const std::string& spec) {
  std::string whole;
  for (const SpecPart& part : parts_of(spec)) {
    whole += part.key;
    whole += part.is_file ? absolute(std::string(part.value)) : std::string(part.value);
  }
  return whole;
}

std::string checked_topology(const PassedSetting& spec) {
  if (!is_of_job(spec.value)) parse_machine(spec.value, nullptr, spec.where);
  return with_absolute_files(spec.value);
}

/// Whether POLICY[:core|fine] goes by what threads share.
bool goes_by_matrix(const std::string& text) {
  const auto* const found = std::ranges::find(
      threads::binding_policies, text.substr(0, text.rfind(':')), &threads::BindingPolicy::name);
  return found != std::end(threads::binding_policies) && found->needs_matrix;
}

/// POLICY[:core|fine] with a mapping file named in full: ranks may start elsewhere.
std::string checked_binding(const std::string& text, const std::optional<PassedSetting>& matrix) {
  std::string policy = text;
  std::string ending;
  if (const auto colon = text.rfind(':'); colon != std::string::npos) {
    policy = text.substr(0, colon);
    ending = text.substr(colon);
  }
  if (policy.empty() || !(ending.empty() || ending == ":core" || ending == ":fine")) {
    throw bad_input("--bind", "POLICY, POLICY:core or POLICY:fine", text);
  }
  const bool is_policy =
      std::ranges::find(threads::binding_policies, policy, &threads::BindingPolicy::name) !=
      std::end(threads::binding_policies);
  if (!is_policy && fs::is_regular_file(policy)) {
    read_mapping(policy);
    return absolute(policy) + ending;
  }
  if (threads::find_binding_policy(policy, "--bind").needs_matrix && !matrix) {
    throw bad_input("--bind",
                    fmt::format("--bind-matrix FILE with {}: how much threads share", policy),
                    "none");
  }
  return text;
}

void export_binding(const RunOptions& options, std::map<std::string, std::string>& ours) {
  const auto matrix = either(options.bind_matrix, "--bind-matrix", "KITH_BIND_MATRIX");
  const auto bind = either(options.bind, "--bind", "KITH_BIND");
  if (!bind) {
    if (options.bind_matrix) throw bad_input("--bind-matrix", "--bind with it", "none");
    return;
  }
  ours["KITH_BIND"] = checked_binding(bind->value, matrix);
  if (matrix) {
    if (const auto trace = find_trace(matrix->value)) {
      if (!fs::exists(*trace / trace_names::threads_directory)) {
        throw bad_input(matrix->where, "a trace with what threads share (kith run --threads)",
                        trace->string());
      }
      const std::string note = little_sharing_note(read_trace(*trace));
      if (!note.empty() && goes_by_matrix(bind->value)) tell(note);
      ours["KITH_BIND_MATRIX"] = absolute(trace->string());
      return;
    }
    read_matrix(matrix->value);
    ours["KITH_BIND_MATRIX"] = absolute(matrix->value);
  }
}

/// Every KITH_ variable of our environment, empty ones too.
std::map<std::string, std::string> kith_variables() {
  std::map<std::string, std::string> found;
  for (char** item = environ; *item != nullptr; ++item) {
    const std::string_view text = *item;
    const auto equals = text.find('=');
    if (!text.starts_with("KITH_") || equals == std::string_view::npos) continue;
    found.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

/// Where profiles are, as it is named here: ranks may start elsewhere, with another HOME. Of other
/// settings the job warns.
void export_home(std::map<std::string, std::string>& ours) {
  const ProfileSettings settings = read_profile_settings();
  if (!settings.home.empty()) ours["KITH_HOME"] = settings.home.string();
}

}  // namespace

void check_thread_matrix(const std::string& name, bool force) {
  const std::string file = name + ".mtx";
  if (!force && variable("KITH_FORCE").value_or("0") != "1" && is_present(file)) {
    throw bad_input("--trace", "a new name, or --force to replace", absolute(file));
  }
}

std::uint64_t process_of_rank_0(const RunOptions& options) {
  const auto reorder = either(options.reorder, "--reorder", "KITH_REORDER");
  if (!reorder || reorder->value == "auto" || !is_mapping_file(reorder->value)) return 0;
  const auto machine = machine_of(either(options.topology, "--topology", "KITH_TOPOLOGY"));
  const Slot slot = read_mapping(reorder->value).mapping[Rank(0)];
  return machine ? machine->allowed().index_of(slot) : slot.value;
}

Exports make_exports(const RunOptions& options) {
  if (options.trace && options.trace->starts_with('-')) {
    throw bad_input("--trace", "a name that does not begin with '-'", "'" + *options.trace + "'");
  }
  const auto trace = either(options.trace, "--trace", "KITH_TRACE");
  const auto reorder = either(options.reorder, "--reorder", "KITH_REORDER");
  Exports exports;
  exports.environment = variable;
  exports.preload = variable("LD_PRELOAD");
  exports.inherited = kith_variables();
  auto& ours = exports.ours;
  const bool force = options.force || variable("KITH_FORCE").value_or("0") == "1";
  if (trace) ours["KITH_TRACE"] = checked_trace(*trace, force);
  if (options.force) ours["KITH_FORCE"] = "1";
  const auto topology = either(options.topology, "--topology", "KITH_TOPOLOGY");
  if (topology) ours["KITH_TOPOLOGY"] = checked_topology(*topology);
  if (reorder) {
    ours["KITH_REORDER"] = checked_reorder(*reorder, topology);
    if (reorder->value == "auto") export_home(ours);
  }
  if (options.algorithm) {
    if (!reorder || is_mapping_file(reorder->value)) {
      tell(fmt::format("warning: --algorithm changes nothing: {}",
                       reorder ? reorder->value + " is an order already"
                               : "no order is made (--reorder TRACE, or auto)"));
    }
    ours["KITH_ALGORITHM"] = options.algorithm->name();
  }
  if (const auto network = variable("KITH_NETWORK"); network && !network->empty()) {
    ours["KITH_NETWORK"] = absolute(*network);
  }
  export_binding(options, ours);
  if (options.threads) ours["KITH_THREADS"] = "1";
  if (options.quiet) ours["KITH_VERBOSE"] = "0";
  if (options.check) {
    ours["KITH_CHECK"] = "1";
    ours.erase("KITH_TRACE");
  }
  return exports;
}

}  // namespace kith::tools
