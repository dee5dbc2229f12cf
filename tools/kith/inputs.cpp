#include "inputs.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <vector>

#include "core/did_you_mean.hpp"
#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "core/plain_text.hpp"
#include "io/format/trace_text.hpp"
#include "io/matrix_formats.hpp"
#include "io/thread_matrices.hpp"
#include "kith/error.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

void check_slots(const MappingFile& file, const Machine& machine, const std::string& path) {
  const std::string hint = file.topology && *file.topology != spec_with_slots(machine)
                               ? fmt::format(" (the mapping is for {}, this is {})", *file.topology,
                                             spec_with_slots(machine))
                               : "";
  for (std::uint32_t rank = 0; rank < file.mapping.ranks(); ++rank) {
    const Slot slot = file.mapping[Rank(rank)];
    if (machine.allowed().contains(slot)) continue;
    throw bad_place(path, rank,
                    slot.value < machine.slots() ? "a slot that may be used"
                                                 : fmt::format("a slot below {}, as {} has",
                                                               machine.slots(), machine.spec()),
                    fmt::format("slot {}{}", slot.value, hint));
  }
}

}  // namespace

void add_phase_option(CLI::App& app, std::optional<std::string>& phase) {
  app.add_option("--phase", phase,
                 "Only this phase of the trace: its name, or the level of MPI_Pcontrol")
      ->type_name("NAME");
}

void add_trace_argument(CLI::App& app, std::string& trace) {
  app.add_option(
         "TRACE", trace,
         "A trace (NAME.kith) or a matrix file: .mtx, .csv (EagerMap), .txt (dense), .graph "
         "(METIS), .grf (Scotch), .prof (Open MPI monitoring)")
      ->required()
      ->type_name("");
}

void add_machine_options(CLI::App& app, MachineChoice& choice) {
  app.add_option(
         "--topology", choice.topology,
         "The machine: " + spec_examples() +
             " (job: the trace's own, the default where it has one). Trees with costs, top down: "
             "tree:64x2x8@100,10,1; with unequal children: tree:(2*(8,8),(4,4)). A tree in each "
             "node of a network: torus:16x12x24/2x8. Add ;slots=0-7,16-23 or ;nodes=tux[0-3] to "
             "keep only "
             "these slots, ;tree=2x8 for the tree in each node of hosts: and slurm:, ;network=FILE "
             "for what lies between the hosts of a job")
      ->type_name("SPEC");
  add_granularity_option(app, choice.granularity);
  put_in_group(app, input_group, {"--topology", "--granularity"});
}

void add_granularity_option(CLI::App& app, Granularity& granularity) {
  add_choice(app, "--granularity", granularity,
             {{"core", Granularity::core}, {"pu", Granularity::pu}},
             "What a slot of an hwloc machine is: core (default) or pu (hardware thread)");
}

namespace {

/// " (did you mean app.kith?)" where a trace that is not there has a namesake beside it.
std::string near_name(const std::string& path) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.parent_path();
  constexpr std::size_t most_names = 10'000;
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < most_names;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  const std::string matrix =
      wanted.stem().string() + ".mtx";  // of threads, from kith run --threads
  if (std::ranges::find(names, matrix) != names.end()) return " (did you mean " + matrix + "?)";
  std::ranges::sort(names);  // of equally near ones always the same
  return did_you_mean(wanted.filename().string(), names);
}

}  // namespace

namespace {

/// Readers look at a file more than once, which a pipe does not bear.
class CopyOfStandardInput {
 public:
  CopyOfStandardInput() : fd_(::memfd_create("standard input", MFD_CLOEXEC)) {
    std::array<char, 65536> block;
    while (fd_ >= 0) {
      const ssize_t size = ::read(STDIN_FILENO, block.data(), block.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) fail();
      if (size == 0) return;
      for (ssize_t done = 0; done < size;) {
        const auto rest = static_cast<std::size_t>(size - done);
        const ssize_t written = ::write(fd_, block.data() + done, rest);
        if (written < 0) fail();
        done += written;
      }
    }
    fail();
  }
  ~CopyOfStandardInput() { ::close(fd_); }
  CopyOfStandardInput(const CopyOfStandardInput&) = delete;
  CopyOfStandardInput& operator=(const CopyOfStandardInput&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  [[noreturn]] void fail() const {
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    throw environment_error("cannot read standard input: " +
                            std::generic_category().message(error));
  }

  int fd_;
};

std::string shown(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

/// What `read` makes of it. Errors name standard input, not its copy.
template <class Read>
auto read_copy(const CopyOfStandardInput& copy, const Read& read) {
  try {
    return read(copy.path());
  } catch (const Error& error) {
    std::string text = error.what();
    const std::size_t at = text.find(copy.path());
    if (at != std::string::npos) text.replace(at, copy.path().size(), shown("-"));
    throw Error(error.kind(), text);
  }
}

/// A matrix.
Trace read_standard_input(const TraceSelection& selection) {
  const CopyOfStandardInput copy;
  Trace trace = read_copy(copy, [&](const auto& file) { return read_trace(file, selection); });
  trace.path = "-";
  return trace;
}

/// For mappings, which are small: they may be looked at again.
const CopyOfStandardInput& kept_standard_input() {
  static const CopyOfStandardInput copy;
  return copy;
}

}  // namespace

Trace read_named_trace(const std::string& path, const TraceSelection& selection) {
  if (path == "-") return read_standard_input(selection);
  if (!find_trace(path) && calls_itself_mapping(path)) {
    throw bad_input(path, "a trace or a matrix", "a mapping");
  }
  try {
    return read_trace(path, selection);
  } catch (const Error& error) {
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(path, ignored) ||
                          std::filesystem::exists(path + trace_names::directory_suffix, ignored);
    if (error.kind() != ErrorKind::input || is_there) throw;
    throw Error(error.kind(), error.what() + near_name(path));
  }
}

Traffic read_traffic(const std::string& path, const TraceSelection& selection) {
  const Progress progress("reading " + path);
  Traffic traffic{read_named_trace(path, selection), {}, {}};
  traffic.graph = TrafficGraph::from(traffic.trace.bytes);
  if (!selection.messages && !selection.phase) {
    if (const auto messages = read_trace_part(traffic.trace, "messages.mtx")) {
      traffic.wire = on_the_wire(traffic.trace.bytes, *messages);
    }
  }
  return traffic;
}

void tell_layout(const Trace& trace) {
  if (trace.partial) {
    tell(
        fmt::format("{} is of a run that did not end: what it sent until then (its timeline may "
                    "end sooner)",
                    trace.path.filename().string()));
  }
  if (const std::string text = layout_warning(trace); !text.empty()) tell("warning: " + text);
  if (const std::string text = order_note(trace); !text.empty()) {
    tell(text + "; the present order is the launcher's");
  }
}

std::string little_sharing_note(const Trace& trace) {
  bool is_known = false;
  bool is_sharing = false;
  visit_thread_matrices(trace, [&](const ThreadMatrix& of_rank) {
    is_known = true;
    is_sharing = is_sharing || of_rank.is_sharing();
  });
  if (!is_known || is_sharing) return "";
  return fmt::format(
      "note: {0}: the threads of its ranks share next to nothing, or too little was seen of them "
      "(kith info {0} says which): no order of them made of it is worth more than another",
      trace.path.string());
}

std::unique_ptr<Machine> find_machine(const MachineChoice& choice, const Trace& trace) {
  if (!choice.topology && !trace.job) {
    throw bad_input("--topology", "a machine such as tree:4x2x8 (the trace does not describe one)",
                    "none");
  }
  const JobDescription* const job = trace.job ? &*trace.job : nullptr;
  const std::string spec = choice.topology.value_or("job");
  const Progress progress("building " + spec);
  return parse_machine(spec, job, choice.option, choice.granularity);
}

void check_room(std::uint32_t ranks, const Machine& machine, std::uint64_t capacity,
                std::string_view advice, std::string_view what_sits) {
  const std::uint64_t slots = machine.allowed().size();
  if (slots * capacity >= ranks) return;
  const bool is_one_each =
      machine.nodes() > 1 && machine.slots() == machine.nodes() &&
      (machine.spec().starts_with("hosts:") || machine.spec().starts_with("slurm:"));
  const std::string what = fmt::format(
      "{} slots in {}{}{}", slots, machine.spec(),
      slots < machine.slots()
          ? " that its ;slots= and ;nodes=, --forbid and the binding of the process leave"
          : "",
      is_one_each ? "; a host is one slot (;tree=2x16 behind the machine says what it has)" : "");
  throw bad_input(
      "--topology",
      fmt::format("a slot for each of {} {}s{}{}", ranks, what_sits, advice.empty() ? "" : ", or ",
                  advice),
      capacity == 1 ? what : fmt::format("{}, {} {}s on each", what, capacity, what_sits));
}

std::uint32_t even_capacity(std::uint32_t ranks, const Machine& machine) {
  const std::uint64_t slots = std::max<std::uint64_t>(machine.allowed().size(), 1);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>((ranks + slots - 1) / slots, 1));
}

MappingFile read_named_mapping(const std::string& path) {
  if (std::error_code ignored;
      !std::filesystem::is_regular_file(path, ignored) && find_trace(path)) {
    throw bad_input(path, "a mapping (kith map TRACE -o FILE writes one)", "a trace");
  }
  if (path != "-") return read_mapping(path);
  return read_copy(kept_standard_input(), [](const auto& file) { return read_mapping(file); });
}

std::size_t line_of_rank(const std::string& mapping_file, std::uint32_t rank) {
  LineReader in(mapping_file == "-" ? kept_standard_input().path() : mapping_file);
  std::string_view text;
  while (in.next(text)) {
    if (parse_unsigned(Words(text).next()) == rank) return in.line();
  }
  return in.line();
}

Error bad_place(const std::string& mapping_file, std::uint32_t rank, const std::string& expected,
                const std::string& found) {
  return bad_input_at(shown(mapping_file), line_of_rank(mapping_file, rank), expected, found);
}

std::uint32_t most_on_a_slot(const Mapping& mapping) {
  std::vector<Slot> slots = mapping.slot_of;
  std::ranges::sort(slots);
  std::uint32_t most = 0;
  for (auto begin = slots.begin(); begin != slots.end();) {
    const auto end = std::upper_bound(begin, slots.end(), *begin);
    most = std::max(most, static_cast<std::uint32_t>(end - begin));
    begin = end;
  }
  return most;
}

Mapping read_fitting_mapping(const std::string& path, std::uint32_t ranks, const Machine& machine) {
  MappingFile file = read_named_mapping(path);
  if (file.mapping.ranks() != ranks) {
    throw bad_input(shown(path), fmt::format("a mapping of {} ranks, as the trace has", ranks),
                    number_of(file.mapping.ranks(), "rank"));
  }
  check_slots(file, machine, path);
  const bool is_of_part = file.topology != file.whole_topology();
  if (file.topology && (file.whole_topology() != machine.spec() ||
                        (is_of_part && *file.topology != spec_with_slots(machine)))) {
    tell(fmt::format("warning: {} was made for {}, this is {} (--topology)", shown(path),
                     *file.topology, spec_with_slots(machine)));
  }
  if (file.hosts && !machine.hosts_digest().empty() && *file.hosts != machine.hosts_digest()) {
    tell(fmt::format("warning: {} was made for other hosts (digest {}, these are {})", shown(path),
                     *file.hosts, machine.hosts_digest()));
  }
  return std::move(file.mapping);
}

CLI::Option* add_matrix_format_option(CLI::App& app, const std::string& name,
                                      std::optional<MatrixFormat>& format,
                                      const std::string& description) {
  const auto take = [&format, name](const std::string& text) {
    format = parse_matrix_format(text, name);
  };
  return add_value(app, name, take, description);
}

MatrixFormat writable_format(const std::string& path, const std::optional<MatrixFormat>& given,
                             std::string_view option, std::string_view others) {
  const auto of_name = path == "-" ? MatrixFormat::mtx : format_of_name(path);
  const auto format = given ? given : of_name;
  if (!format) {
    throw bad_input(option,
                    fmt::format("a format, as the name ends in none of .mtx .csv .txt .graph .grf: "
                                "mtx, csv, dense, metis or scotch{}",
                                others),
                    "'" + path + "'");
  }
  if (format == MatrixFormat::prof) {
    throw bad_input(given ? option : std::string_view(path),
                    "a format that can be written: mtx, csv, dense, metis or scotch", "prof");
  }
  return *format;
}

}  // namespace kith::tools
