// kith run: becomes the launcher, or waits for it, with the library and its settings exported to
// every rank.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "command.hpp"
#include "core/launcher.hpp"
#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "launch/job_mark.hpp"
#include "launch/launcher.hpp"
#include "launch/trace_watch.hpp"
#include "launch/waiting_parent.hpp"
#include "options.hpp"
#include "output.hpp"
#include "run_exports.hpp"

namespace kith::tools {
namespace {

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

/// Open MPI's and Hydra's give it to their rank 0 alone.
void tell_of_standard_input(const RunOptions& options, const Launcher& launcher) {
  struct stat input {};
  if (launcher.kind != LauncherKind::open_mpi && launcher.kind != LauncherKind::hydra) return;
  if (::fstat(STDIN_FILENO, &input) != 0) return;
  const bool may_hold_something = S_ISREG(input.st_mode) || S_ISFIFO(input.st_mode);
  const std::uint64_t process = may_hold_something ? process_of_rank_0(options) : 0;
  if (process == 0) return;
  tell(fmt::format(
      "warning: {} puts rank 0 where launcher rank {} is, and launcher rank 0 alone gets standard "
      "input: rank 0 will find it empty (kith map --fix 0=SLOT holds a rank)",
      either(options.reorder, "--reorder", "KITH_REORDER")->value, process));
}

/// Of a job whose launcher started `kith run`. (A batch script of Slurm has SLURM_PROCID, too.)
bool is_rank() {
  return std::ranges::any_of(launcher_variables, [](const LauncherVariables& names) {
    return std::string_view(names.rank) != "SLURM_PROCID" && std::getenv(names.rank) != nullptr;
  });
}

/// What is better known before the hours are spent. Returns why nothing will be recorded, or
/// may be, as far as that is clear already.
std::string tell_beforehand(const Words& command, const Launcher& launcher,
                            const Exports& exports) {
  if (launcher.is_assumed && !is_rank()) {
    tell(fmt::format(
        "no launcher that Kith knows is in this command: {} gets the settings in its environment, "
        "to hand them to all ranks (where it starts mpirun or srun itself, put kith run before "
        "each of these lines instead; --launcher names a launcher)",
        command[launcher.index]));
  }
  const std::string warning = sanitizer_warning(command, launcher, variable("ASAN_OPTIONS"));
  if (!warning.empty()) tell(warning);
  const std::string program = static_program(command, launcher);
  if (program.empty() && launcher.is_assumed) {
    return fmt::format(
        "No process called MPI_Init under Kith: a program without MPI, or {} does not hand its "
        "environment to the ranks. By hand, for each rank: {}",
        command[launcher.index], by_hand(exports));
  }
  return program.empty() ? std::string() : tell_static(program);
}

bool is_quiet(const RunOptions& options) {
  return options.quiet || variable("KITH_VERBOSE").value_or("1") == "0";
}

/// Where each rank of a job starts a `kith run` of its own, the first one tells of the trace.
bool is_first_of_job() {
  const char* const rank = launched_rank();
  return rank == nullptr || std::string_view(rank) == "0";
}

/// Waits for the launcher, to say where the trace is or why there is none.
[[noreturn]] void become_recorded(const Launch& launch, const TraceWatch& watch, bool is_quiet) {
  const ChildEnd end = run_in_child([&] { become(launch); });
  if (end.was_started && is_first_of_job()) {
    watch.tell_of_end(end.is_good() ? "" : end.text(), is_quiet);
  }
  end_like(end);
}

/// Waits for a launcher of ranks of this host, to say where none of them came.
[[noreturn]] void become_reordered(const Launch& launch, const JobMark& mark) {
  const ChildEnd end = run_in_child([&] { become(launch); });
  if (end.was_started) mark.tell_if_nobody_came(end.is_good() ? "" : end.text());
  end_like(end);
}

/// `likely_cause`: of tell_beforehand().
void start(const RunOptions& options, const Words& command, const Launcher& launcher,
           Exports& exports, const std::string& likely_cause) {
  const auto trace = exports.ours.find("KITH_TRACE");
  const bool is_recorded = trace != exports.ours.end();
  std::optional<JobMark> mark;
  if (!options.check && !is_recorded && exports.ours.contains("KITH_REORDER") &&
      likely_cause.empty() && stays_on_this_host(command, launcher)) {
    mark.emplace();
    if (!mark->path().empty()) exports.ours["KITH_RUN_MARK"] = mark->path();
  }
  const Launch launch = add_exports(command, launcher, exports);
  if (options.check) {
    if (options.bind) tell("--bind is not checked: threads are bound when the program makes them");
    return run_checked(launch, options.json);
  }
  if (is_recorded) {
    become_recorded(launch, TraceWatch(trace->second, likely_cause), is_quiet(options));
  }
  if (mark) become_reordered(launch, *mark);
  become(launch);
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
  if (options.check && options.bind && !options.reorder && !options.launcher &&
      !has_launcher(command)) {
    throw bad_input("--check", "a launcher's command behind --, as it looks at MPI_Init",
                    fmt::format("'{}'", command.front()));
  }
  if (is_about_threads(options) && !has_launcher(command)) {
    if (options.trace) check_thread_matrix(*options.trace, options.force);
    if (is_static_program(command.front())) tell_static(command.front());
    const Launch launch = add_exports_by_environment(command, exports);
    const auto trace = exports.ours.find("KITH_TRACE");
    if (trace != exports.ours.end() && !is_rank()) {
      become_recorded(launch, TraceWatch(trace->second, TraceWatch::NoMpi::is_fine),
                      is_quiet(options));
    }
    become(launch);
  }
  const char* const topologies = std::getenv("KITH_REORDER_TOPOLOGIES");
  const bool reorders_topologies = topologies != nullptr && std::string_view(topologies) == "on";
  if (options.topology && options.trace && !options.check && !reorders_topologies &&
      !either(options.reorder, "--reorder", "KITH_REORDER")) {
    tell(fmt::format(
        "--topology is for --reorder and for what the program asks Kith; what is recorded does not "
        "depend on it: kith compare {} --topology {} judges that",
        shell_word(*options.trace), shell_word(*options.topology)));
  }
  const Launcher launcher = any_launcher(command, options.launcher, exports);
  tell_of_standard_input(options, launcher);
  const std::string cause = tell_beforehand(command, launcher, exports);
  start(options, command, launcher, exports, cause);
}

}  // namespace

std::function<void()> set_up_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  app.description(
      "Starts an MPI program under Kith, unchanged: to record a trace, to have its ranks in a "
      "better order, or both. `kith run` becomes the launcher (or waits for it, to say at the end "
      "what became of the job, hands it all signals and ends as it ends); what follows \"--\" is "
      "the "
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
  app.add_flag(
      "--check", options->check,
      "Start as usual, but end after MPI_Init: who would be where, which ranks do not run "
      "under Kith, which order would be made (status 3: a rank runs without Kith, or no "
      "order can be made). Where no rank runs under Kith the program goes on, for 5 minutes "
      "at most");
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
