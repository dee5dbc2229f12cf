// The messages between a job and its engine process: requests of libkith.so, answers of
// kith-engine.
//
// A message is a header and a body. The header has 20 bytes: "kith", the protocol's version and the
// kind (16 bits each), the seconds that the job waits for the answer (32 bits; 0 in answers) and
// the size of the body (64 bits). The body holds the parts of the struct in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/job.hpp"
#include "protocol/packer.hpp"

namespace kith::protocol {

/// Another number for every change of a message. The header and `Problem` stay as they are.
inline constexpr std::uint16_t version = 11;

enum class Kind : std::uint16_t {
  problem,
  hardware_request,
  hardware_answer,
  network_request,
  network_answer,
  reorder_request,
  reorder_answer,
  auto_begin_request,
  auto_begin_answer,
  auto_end_request,
  auto_end_answer,
  binding_request,
  binding_answer,
  thread_binding_request,
  thread_binding_answer,
};

/// The answer to any request that cannot be met.
struct Problem {
  static constexpr Kind kind = Kind::problem;
  std::string text;  ///< one sentence, no newline
};

/// "Which hardware is this host?"
struct HardwareAnswer {
  static constexpr Kind kind = Kind::hardware_answer;
  JobHardware hardware;
  CpuSet cpus;  ///< that it has
};
struct HardwareRequest {
  static constexpr Kind kind = Kind::hardware_request;
  using Answer = HardwareAnswer;
  CpuSet cpus;  ///< that ranks may run on here
};

/// "What lies between these hosts?" By a file, else by what Slurm said on each host, else by
/// Slurm's own files.
struct NetworkAnswer {
  static constexpr Kind kind = Kind::network_answer;
  JobNetwork network;
  std::vector<std::vector<std::string>> switches;  ///< by host: JobHost::switches
  std::string note;                                ///< which hosts are not named; may be empty
};
struct NetworkRequest {
  static constexpr Kind kind = Kind::network_request;
  using Answer = NetworkAnswer;
  std::string file;  ///< KITH_NETWORK; may be empty
  std::vector<JobHost> hosts;
  std::vector<std::string> addresses;  ///< by host: SLURM_TOPOLOGY_ADDR there
  std::vector<std::string> patterns;   ///< by host: SLURM_TOPOLOGY_ADDR_PATTERN there
};

/// What one rank sent to another. As bytes: as in memory.
struct TrafficCell {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;  ///< 0: not known
  bool operator==(const TrafficCell&) const = default;
};
/// Adds the cells that lie in `bytes` one behind the other. Throws std::runtime_error where the
/// last is cut.
void append_cells(std::vector<TrafficCell>& cells, std::string_view bytes);

/// The ranks of which an order is asked, their places, and what the order has to keep to.
struct Situation {
  std::uint32_t ranks = 0;
  std::string algorithm;
  std::string topology;  ///< KITH_TOPOLOGY; empty: the job's own machine
  /// With a topology: the launcher rank of each rank; empty: its own number.
  std::vector<std::uint32_t> launcher_ranks;
  double min_gain = 0;
  bool keep_rank0 = true;
  bool keep_local = false;
  bool has_state = false;             ///< moving a rank moves data
  double state_bytes = 0;             ///< of each rank; 0: not known
  double remaining = 1;               ///< how many times the traffic is still to come
  std::optional<JobDescription> job;  ///< processes[i] is rank i
};

/// "In which order should the ranks be?" Of the last three one is given.
struct ReorderAnswer {
  static constexpr Kind kind = Kind::reorder_answer;
  std::uint32_t threads = 0;  ///< that the engine ran on; 0: there was no search
  bool apply = false;
  bool refused = false;  ///< not for too small a gain
  std::string reason;    ///< one sentence
  std::string algorithm;
  double cost_before = 0;
  double cost_after = 0;
  std::uint32_t moved = 0;  ///< by what was proposed, applied or not
  double moving_cost = 0;
  double saving = 0;
  std::vector<std::uint32_t> new_rank;  ///< of each rank; empty unless apply
};
struct ReorderRequest {
  static constexpr Kind kind = Kind::reorder_request;
  using Answer = ReorderAnswer;
  Situation situation;
  std::string source;  ///< a mapping or trace file (absolute)
  std::optional<std::vector<TrafficCell>> traffic;
  std::optional<CartesianTopology> grid;  ///< neighbours of its first ranks talk, equally much
  std::string program;                    ///< path of the job's; empty: not known
};

/// The ranks in a row that run one program.
struct Program {
  std::uint32_t ranks = 0;
  std::string path;
  std::string build;    ///< of this build of it; empty: not known
  std::string command;  ///< as /proc has it: each word ends with a NUL
  bool operator==(const Program&) const = default;
};

/// What the engine says at the start of a run and wants to know at its end.
struct BegunRun {
  std::string home;  ///< the folder of the profiles
  /// What is minimised, as a share of that in the launcher's order.
  std::optional<double> predicted;
  /// The folder beside the profile into which this run's timeline goes; empty: none is wanted.
  std::string timeline;
};

/// KITH_REORDER=auto at MPI_Init: "which order, by the profile of earlier runs?"
struct AutoBeginAnswer {
  static constexpr Kind kind = Kind::auto_begin_answer;
  ReorderAnswer order;
  bool is_kept = false;  ///< the run is to be recorded
  BegunRun begun;
  std::string warnings;  ///< of bad settings; may be empty
};
struct AutoBeginRequest {
  static constexpr Kind kind = Kind::auto_begin_request;
  using Answer = AutoBeginAnswer;
  Situation situation;
  std::vector<Program> programs;
  bool is_check = false;  ///< change nothing
};

/// At MPI_Finalize of a run that is to be kept: "renew the profile."
struct AutoEndAnswer {
  static constexpr Kind kind = Kind::auto_end_answer;
  std::string line;  ///< what was gained, or why nothing was done
};
struct AutoEndRequest {
  static constexpr Kind kind = Kind::auto_end_request;
  using Answer = AutoEndAnswer;
  Situation situation;
  std::vector<Program> programs;
  BegunRun begun;
  double seconds = 0;  ///< from the end of MPI_Init to the beginning of MPI_Finalize
  std::vector<TrafficCell> traffic;
  std::string reason;                   ///< why the order stayed
  std::vector<std::uint32_t> new_rank;  ///< empty: it stayed
  std::string timeline;  ///< a folder to be renamed to BegunRun::timeline; empty: none was kept
};

/// `kith run --check`: "what is wrong with the binding of these ranks?"
struct BindingAnswer {
  static constexpr Kind kind = Kind::binding_answer;
  std::vector<std::string> faults;  ///< a line each
};
struct BindingRequest {
  static constexpr Kind kind = Kind::binding_request;
  using Answer = BindingAnswer;
  JobDescription job;
};

/// "Where do the threads of this process go?"
struct ThreadBindingAnswer {
  static constexpr Kind kind = Kind::thread_binding_answer;
  std::vector<CpuSet> cpus;  ///< of thread i: entry i, modulo their number; not empty
  std::string policy;        ///< for people
};
struct ThreadBindingRequest {
  static constexpr Kind kind = Kind::thread_binding_request;
  using Answer = ThreadBindingAnswer;
  std::string policy;  ///< a name or a mapping file (absolute)
  bool whole_cores = false;
  std::uint32_t threads = 0;    ///< that are expected; 0: not known
  CpuSet cpus;                  ///< that the process may use
  std::uint32_t processes = 1;  ///< of the job, that may use just these
  std::uint32_t position = 0;   ///< of the process that asks among them
  std::string matrix;           ///< a file (absolute); may be empty
};

/// What stands before a body.
struct Header {
  static constexpr std::size_t size = 20;
  std::uint16_t version = protocol::version;
  Kind kind = Kind::problem;
  std::uint32_t seconds = 0;
  std::uint64_t body = 0;  ///< bytes
};
/// Of the first Header::size bytes of a message. Throws std::runtime_error, in words for the user,
/// for fewer bytes, for what is no message of Kith's, and for other versions, except of a problem.
Header unpack_header(std::string_view bytes);

/// The whole message.
template <class Message>
std::string pack(const Message& message, std::uint32_t seconds = 0);
/// Throws std::runtime_error as unpack_header(), for a message of another kind, and for one that is
/// longer or shorter than it should be. Takes no more memory than in proportion to `bytes`.
template <class Message>
Message unpack(std::string_view bytes);

/// Parts of messages for messages of others: some bytes a range.
void pack_cpus(Packer& packer, const CpuSet& cpus);
/// Throws std::runtime_error.
CpuSet unpack_cpus(Unpacker& unpacker);

}  // namespace kith::protocol
