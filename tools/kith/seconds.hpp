// What subcommands say of seconds: a trace with a timeline, ready to be simulated in any order, and
// what its predictions rest on.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/format/json_text.hpp"
#include "kith/io.hpp"
#include "simulate/predictor.hpp"

namespace kith::tools {

/// Whether the trace called `name` has a timeline, whole or damaged.
bool has_timeline(const std::string& name);

/// The folder of the trace. Throws Error (input) without such a folder, or without a timeline in
/// it.
std::filesystem::path trace_with_timeline(const std::string& name);

/// The machine that the job ran on; null where the trace does not tell it.
std::unique_ptr<Machine> machine_of_run(const Trace& trace);

/// Reads the timeline of the trace called `name` (of its operations as many as read_job_replay()
/// takes), and simulates the run as recorded. Throws Error (input) where the timeline is missing or
/// damaged, has less than a twentieth of the run, or `size` refuses it. The machine must outlive
/// the result.
simulate::Predictor predictor_for(const std::string& name, const Trace& trace,
                                  const Machine& machine, simulate::PredictorOptions options = {},
                                  simulate::ReplaySize size = {});

/// predictor_for() where it and so many orders take at most `most_seconds`, of a few operations of
/// the timeline; nothing where they take longer. Throws Error (input) as predictor_for() does.
std::optional<simulate::Predictor> quick_predictor(const std::string& name, const Trace& trace,
                                                   const Machine& machine, unsigned orders,
                                                   double most_seconds);

// What all predictions rest on, a sentence each without its full stop.

/// "the simulation misses the recorded run by 91%: ...", and the likely cause.
std::string miss_text(const simulate::Predictor& predictor);

/// Measured and simulated seconds, and whether the simulation misses the clock.
std::vector<std::string> clock_sentences(const simulate::Predictor& predictor,
                                         const Machine& machine);
/// What was fitted and what was assumed.
std::vector<std::string> assumptions_of(const simulate::Predictor& predictor);
/// Both, a line each. `phase`: of the trace, that orders are made for.
std::string basis_lines(const simulate::Predictor& predictor, const Machine& machine,
                        const std::optional<std::string>& phase);

/// "7.1 s..9.2 s".
std::string range_text(const simulate::Seconds& seconds);

/// The keys "recorded_seconds", "simulated_seconds", "simulated_there_seconds",
/// "fitted_megabytes_per_s", "assumptions", "operations", "simulated_operations", "covered" and
/// "one_ended_messages" of the object that is open.
void put_basis(JsonText& json, const simulate::Predictor& predictor);

}  // namespace kith::tools
