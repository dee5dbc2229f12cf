// kith run: becomes the launcher, or waits for it, with the library and its settings exported to
// every rank.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#include "command.hpp"
#include "inputs.hpp"
#include "io/format/trace_name.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "launch/launcher.hpp"
#include "launch/trace_watch.hpp"
#include "launch/waiting_parent.hpp"
#include "machine/sources.hpp"
#include "options.hpp"
#include "output.hpp"
#include "profile/profile.hpp"
#include "threads/binding_plan.hpp"

namespace kith::tools {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::optional<std::string> trace;
  bool force = false;
  std::optional<std::string> reorder;
  std::optional<Algorithm> algorithm;
  std::optional<std::string> topology;
  bool threads = false;
  std::optional<std::string> bind;
  std::optional<std::string> bind_matrix;
  bool quiet = false;
  bool check = false;
  bool json = false;
  std::optional<std::string> launcher;
};

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// A setting and where it comes from, for messages.
struct PassedSetting {
  std::string value;
  std::string_view where;
};

/// Of the option, or of the variable where the option is not given and the variable is not empty.
std::optional<PassedSetting> either(const std::optional<std::string>& option, std::string_view name,
                                    const char* fallback) {
  if (option) return PassedSetting{*option, name};
  const auto value = variable(fallback);
  if (!value || value->empty()) return std::nullopt;
  return PassedSetting{*value, fallback};
}

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

/// The trace's directory, checked now rather than after hours: new (or to be replaced), and in a
/// folder that can be written. The library checks again at MPI_Init.
std::string checked_trace(const PassedSetting& name, bool force) {
  if (name.value.empty()) throw bad_input(name.where, "a name for the trace", "an empty one");
  // What is open is filled in by the job, which may be another one of the batch system than this.
  const bool is_open = is_open_trace_name(name.value);
  const std::string path = is_open ? absolute(name.value) : trace_directory_of(name.value);
  const std::string parent = fs::path(path).parent_path().string();
  if (is_open_trace_name(parent)) {
    throw bad_input(name.where, "%j and %p in the last part of the path", name.value);
  }
  const auto cannot = [&](const std::string& what) {
    return environment_error(fmt::format("{}: cannot write {}: {}", name.where, what,
                                         std::generic_category().message(errno)));
  };
  for (const std::string& taken : {path, path + trace_names::partial_suffix}) {
    if (is_open) break;
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

/// One rank on the place of each launcher rank, as the job will want it: slots 0 .. ranks-1 of the
/// job, or the first `ranks` allowed ones of the machine that is given.
void check_order(const Mapping& mapping, const std::optional<PassedSetting>& topology,
                 const std::string& file) {
  const bool of_job = !topology || is_of_job(topology->value);
  const auto machine = of_job ? nullptr : parse_machine(topology->value, nullptr, topology->where);
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
             fmt::format("slot {}", slot.value));
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
    check_order(file.mapping, topology, name.value);
    if (topology && file.topology && *file.topology != topology->value) {
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
                    name.value + ", which does not exist");
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
      for (const auto& one : fs::directory_iterator(*trace / trace_names::threads_directory)) {
        if (one.path().extension() == ".mtx") read_matrix(one.path());
      }
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

Exports make_exports(const RunOptions& options) {
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

Launch add_exports(const Words& command, const Launcher& launcher, const Exports& exports) {
  switch (launcher.kind) {
    case LauncherKind::open_mpi:
      return add_exports_open_mpi(command, launcher.index, exports);
    case LauncherKind::hydra:
      return add_exports_hydra(command, launcher.index, exports);
    case LauncherKind::by_environment:
      return add_exports_by_environment(command, exports);
    case LauncherKind::srun:
      break;
  }
  return add_exports_srun(command, launcher.index, exports);
}

[[noreturn]] void become(const Launch& launch) {
  for (const auto& [name, value] : launch.environment) {
    if (::setenv(name.c_str(), value.c_str(), 1) != 0) throw std::bad_alloc();
  }
  std::vector<char*> words;
  for (const std::string& word : launch.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  restore_closed_pipes();
  ::execvp(words.front(), words.data());
  throw environment_error(
      fmt::format("cannot start {}: {}", words.front(), std::generic_category().message(errno)));
}

/// Whether it is about the threads of a program, which may go without MPI.
bool is_about_threads(const RunOptions& options) {
  if (options.reorder || options.check) return false;
  if (options.threads) return true;
  return !options.trace && either(options.bind, "--bind", "KITH_BIND").has_value();
}

/// Returns why nothing will be seen of the program.
std::string tell_static(const std::string& program) {
  std::string cause =
      fmt::format("{} is a static program, into which no library can be preloaded", program);
  tell(fmt::format("warning: {}: Kith will not see it", cause));
  return cause;
}

/// What is better known before the hours are spent. Returns why nothing will be recorded, or
/// may be, as far as that is clear already.
std::string tell_beforehand(const Words& command, const Launcher& launcher,
                            const Exports& exports) {
  if (launcher.is_assumed) {
    tell(fmt::format(
        "no launcher that Kith knows is in this command: {} gets the settings in its environment, "
        "to hand them to all ranks (--launcher says it otherwise)",
        command[launcher.index]));
  }
  const std::string warning = sanitizer_warning(command, launcher, variable("ASAN_OPTIONS"));
  if (!warning.empty()) tell(warning);
  const std::string program = static_program(command, launcher);
  if (program.empty() && launcher.is_assumed) {
    return fmt::format(
        "No process of the job called MPI_Init under Kith: {} may not hand its environment to the "
        "ranks. By hand, for each rank: {}",
        command[launcher.index], by_hand(exports));
  }
  return program.empty() ? std::string() : tell_static(program);
}

/// Waits for the launcher, to say what is missing before the next command begins.
[[noreturn]] void become_watched(const Launch& launch, const Exports& exports,
                                 const std::string& likely_cause) {
  const auto trace = exports.ours.find("KITH_TRACE");
  if (trace == exports.ours.end()) become(launch);
  const TraceWatch watch(trace->second, likely_cause);
  const ChildEnd end = run_in_child([&] { become(launch); });
  if (end.was_started) watch.tell_what_is_missing(end.is_good() ? "" : end.text());
  end_like(end);
}

void run_run(const RunOptions& options) {
  const Words command(trailing_words().begin(), trailing_words().end());
  if (command.empty()) {
    throw bad_input("kith run",
                    "-- and the launcher's command behind it, such as -- mpirun -n 16 ./app",
                    has_trailing_words() ? "nothing behind --" : "no --");
  }
  if (options.threads && !either(options.trace, "--trace", "KITH_TRACE")) {
    throw bad_input("--threads", "--trace with it", "none");
  }
  if (options.json && !options.check) throw bad_input("--json", "--check with it", "none");
  Exports exports = make_exports(options);
  exports.library = find_library();
  if (is_about_threads(options) && !has_launcher(command)) {
    if (is_static_program(command.front())) tell_static(command.front());
    become(add_exports_by_environment(command, exports));
  }
  const Launcher launcher = any_launcher(command, options.launcher, exports);
  const Launch launch = add_exports(command, launcher, exports);
  const std::string cause = tell_beforehand(command, launcher, exports);
  if (!options.check) become_watched(launch, exports, cause);
  run_checked(launch, options.json);
}

}  // namespace

std::function<void()> set_up_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  app.description(
      "Starts an MPI program under Kith, unchanged: to record a trace, to have its ranks in a "
      "better order, or both. `kith run` becomes the launcher (with --trace it waits for it, hands "
      "it all signals and ends as it ends); what follows \"--\" is the "
      "launcher's command as it would be without Kith.");
  app.add_option("--trace", options->trace, "Record who sends how much to whom into NAME.kith")
      ->type_name("NAME");
  app.add_flag("--force", options->force, "Replace an existing trace");
  app.add_option(
         "--reorder", options->reorder,
         "Reorder the ranks: a mapping (applied as it is), a trace (mapped at MPI_Init), or auto: "
         "by what earlier runs of the program left (kith profiles --help)")
      ->type_name("FILE|auto");
  add_value(
      app, "--algorithm",
      [&chosen = options->algorithm](const std::string& text) {
        chosen = find_algorithm(text, "--algorithm");
      },
      "How a trace is mapped, from `kith algorithms` (default auto)")
      ->type_name("A");
  app.add_option("--topology", options->topology,
                 "The machine whose j-th allowed slot is launcher rank j's (default: found by the "
                 "job itself)")
      ->type_name("SPEC");
  app.add_flag(
      "--threads", options->threads,
      "With --trace: also what the threads of each rank share, by looking at each some hundred "
      "times a second; of a program without MPI it is all that is recorded, into NAME.mtx. Each "
      "access counts in programs that are linked with libkith_accesses.so");
  app.add_option(
         "--bind", options->bind,
         "Bind the threads of each rank, or of a program without MPI, each to a processing "
         "unit (fine) or a core: compact, scatter, balanced; eagermap, treematch, choicemap, "
         "kith, with --bind-matrix; or a mapping file")
      ->type_name("POLICY[:GRANULARITY]");
  app.add_option(
         "--bind-matrix", options->bind_matrix,
         "How much each thread shares with each other: a matrix, or a trace of kith run --threads")
      ->type_name("FILE");
  app.add_flag("--check", options->check,
               "Start as usual, but end after MPI_Init: who would be where, which ranks do not run "
               "under Kith, which order would be made (status 3: a rank runs without Kith, or no "
               "order can be made)");
  app.add_option(
         "--launcher", options->launcher,
         "Which word behind -- starts the ranks, where it is none that Kith knows; behind a colon: "
         "how it hands them variables: openmpi (-x), hydra (-genv), slurm (--export) or "
         "environment "
         "(its own)")
      ->type_name("WORD[:KIND]");
  app.add_flag("--json", options->json, "With --check: one JSON document");
  app.add_flag("--quiet", options->quiet,
               "Kith in the job says only what went wrong or is not applied");
  app.footer(
      "Open MPI, PRRTE, MPICH, Intel MPI, MVAPICH (mpirun, mpiexec), Slurm (srun), Flux, jsrun, "
      "aprun, "
      "ibrun; words before the launcher are kept. Other commands (a script, sh -c) are taken to "
      "hand their "
      "environment to the ranks, and that is said. Signals and input are the launcher's, and so is "
      "the exit status once it has started; before that, status 2 or 3 is Kith's own, and a line "
      "says why.\n"
      "With neither --trace nor --reorder, only MPI's topology functions are served: with "
      "reorder=1 they put neighbours near each other (KITH_REORDER_TOPOLOGIES=off: the MPI "
      "library's own way; =on: also with --trace or --reorder).\n"
      "Further settings are variables of the environment: `man kith-environment`, or `kith man "
      "environment`.\n"
      "Examples:\n"
      "  kith run --trace app -- mpirun -n 16 ./app input\n"
      "  kith run --reorder auto -- mpirun -n 16 ./app    # a file of that name is ./auto\n"
      "  kith run --reorder app.kith -- mpirun -n 16 ./app input\n"
      "  kith run -- mpirun -n 16 ./app_that_calls_MPI_Cart_create\n"
      "  kith run --check --reorder app.map -- mpirun -n 16 ./app\n"
      "  kith run --reorder app.map --trace after -- srun -n 16 ./app\n"
      "  kith run --trace app --launcher mympirun:openmpi -- mympirun -n 16 ./app\n"
      "  kith run --bind scatter:core -- mpirun -n 2 --bind-to socket ./hybrid\n"
      "  kith run --bind compact -- ./openmp_program");
  return [options] { run_run(*options); };
}

}  // namespace kith::tools
