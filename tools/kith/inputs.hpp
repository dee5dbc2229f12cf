// What most subcommands begin with: a trace and a machine, a mapping of the one onto the other; and
// the formats of matrix files.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kith/error.hpp"
#include "kith/io.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kith::tools {

/// The positional TRACE, required.
void add_trace_argument(CLI::App& app, std::string& trace);
void add_phase_option(CLI::App& app, std::optional<std::string>& phase);

/// The options --topology and --granularity.
struct MachineChoice {
  std::optional<std::string> topology;  ///< a SPEC; nothing: the trace's own job
  std::string option = "--topology";    ///< which says so
  Granularity granularity = Granularity::core;
};
void add_machine_options(CLI::App& app, MachineChoice& choice);
void add_granularity_option(CLI::App& app, Granularity& granularity);

/// As read_trace(); where nothing has this name, the error names what is called nearly so.
Trace read_named_trace(const std::string& path, const TraceSelection& selection = {});

/// A trace with both views of its traffic.
struct Traffic {
  Trace trace;
  TrafficGraph graph;
  std::optional<TrafficMatrix> wire;  ///< on_the_wire(); nothing where messages are not known

  /// As evaluate() takes it.
  const TrafficMatrix* on_wire() const { return wire ? &*wire : nullptr; }
};
Traffic read_traffic(const std::string& path, const TraceSelection& selection = {});

/// What to know before an order is made of the trace, to stderr: that topologies were reordered,
/// and that the present order is not the one in which it was recorded.
void tell_layout(const Trace& trace);

/// What to know before threads are bound by what they share, where it was recorded and no rank has
/// threads that share much; else empty.
std::string little_sharing_note(const Trace& trace);

/// The machine of --topology; without the option the trace's own job. Throws Error (input).
std::unique_ptr<Machine> find_machine(const MachineChoice& choice, const Trace& trace);

/// Throws Error (input) when the allowed slots, `capacity` ranks on each, are fewer than the ranks.
/// `advice` is what the subcommand offers against it ("--oversubscribe or --per-slot K");
/// `what_sits`: "rank", or "thread" where the matrix is of threads.
void check_room(std::uint32_t ranks, const Machine& machine, std::uint64_t capacity,
                std::string_view advice, std::string_view what_sits = "rank");

/// How many ranks share a slot when `ranks` are spread evenly over the allowed slots, at least 1.
std::uint32_t even_capacity(std::uint32_t ranks, const Machine& machine);

/// The mapping of a file, or of standard input where its name is "-".
MappingFile read_named_mapping(const std::string& path);

/// read_named_mapping() for so many ranks of this machine. Says so where it was made for another
/// machine or other hosts. Throws Error (input) where it is of other ranks or names slots that may
/// not be used.
Mapping read_fitting_mapping(const std::string& path, std::uint32_t ranks, const Machine& machine);

/// How many ranks share the fullest slot; 0 without ranks.
std::uint32_t most_on_a_slot(const Mapping& mapping);

/// The line of a mapping file that places `rank`; the file has been read once already.
std::size_t line_of_rank(const std::string& mapping_file, std::uint32_t rank);

/// Names that line.
Error bad_place(const std::string& mapping_file, std::uint32_t rank, const std::string& expected,
                const std::string& found);

/// An option whose value names a format.
CLI::Option* add_matrix_format_option(CLI::App& app, const std::string& name,
                                      std::optional<MatrixFormat>& format,
                                      const std::string& description);

/// The format of a file to be written: `given`, the value of `option`, or else by the ending of
/// `path`. `others`: what the command writes beside, for the message. Throws Error (input) where
/// neither tells or the format can only be read.
MatrixFormat writable_format(const std::string& path, const std::optional<MatrixFormat>& given,
                             std::string_view option, std::string_view others = "");

}  // namespace kith::tools
