// The table of subcommands.
#include <array>

#include "command.hpp"

namespace kith::tools {
namespace {

// A new subcommand is a file with its set_up function, declared in command.hpp, and one line here.
constexpr std::array table{
    Command{"run", "Run an MPI program traced, or in a better order", set_up_run, false,
            "LAUNCHER ... PROGRAM ..."},
    Command{"map", "Compute which rank goes on which slot", set_up_map},
    Command{"eval", "Every metric of a mapping", set_up_eval},
    Command{"compare", "Compare algorithms on one trace and machine", set_up_compare},
    Command{"info", "What a trace contains", set_up_info},
    Command{"report", "A page that shows where the traffic is and what an order makes of it",
            set_up_report},
    Command{"topo", "Describe a machine", set_up_topo},
    Command{"allocate", "The nodes that a job would get on a busy machine", set_up_allocate},
    Command{"gen", "Generate a synthetic communication pattern", set_up_gen},
    Command{"convert", "Convert between matrix formats", set_up_convert},
    Command{"probe", "Measure the network of a launch and infer its levels", set_up_probe, false,
            "LAUNCHER ..."},
    Command{"profiles", "What KITH_REORDER=auto keeps of earlier runs", set_up_profiles},
    Command{"study", "Work out again what the papers on mapping report", set_up_study},
    Command{"algorithms", "List the mapping algorithms", set_up_algorithms},
    Command{"completion", "Print what makes a shell complete kith's words", set_up_completion},
    Command{"man", "Print a manual page", set_up_man},
    Command{"complete", "Answer a shell that completes kith's words", set_up_complete, true,
            "WORDS"},
};

}  // namespace

std::span<const Command> commands() {
  return table;
}

}  // namespace kith::tools
