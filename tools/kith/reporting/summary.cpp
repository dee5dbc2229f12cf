// What a report says in plain words.
#include "reporting/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "core/plain_text.hpp"
#include "io/launch/launch_file.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "report/report_json.hpp"
#include "simulate/predictor.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t most_name_bytes = 60;
constexpr std::size_t most_mappings_in_words = 4;

std::string name_in_words(const std::string& name) {
  return printable(clipped(name, most_name_bytes));
}

/// A word of a command line as a shell takes it; without what would disturb a terminal.
std::string word_for_shell(const std::string& word) {
  return shell_word(printable(word));  // whole: a shortened path names another file
}

/// What a gain means: "bytes would travel 34% less far".
std::string gain_words(const Goal& goal, double saved) {
  const std::string part = short_percent(saved);
  if (goal.is_mix()) return fmt::format("{} would be {} less", goal.name(), part);
  switch (goal.terms.front().criterion) {
    case Criterion::hop_bytes:
      return fmt::format("bytes would travel {} less far", part);
    case Criterion::sum_com:
      return fmt::format("messages would cost {} less", part);
    case Criterion::max_com:
      return fmt::format("the pair of ranks with the maximum cost would cost {} less", part);
    case Criterion::link_load:
      return fmt::format("the busiest link would carry {} less", part);
    case Criterion::network_time:
      return fmt::format("the busiest link would be busy for {} less", part);
  }
  return part;
}

/// Whether the machine cannot be the one that the job ran on.
bool is_assumed(const ReportData& data) {
  return data.run.hosts && data.machine && !data.machine->is_of_the_job &&
         data.machine->nodes != *data.run.hosts;
}

/// What a node of the machine is called: only those of the recorded job are its hosts.
std::string_view node_word(const ReportData& data) {
  return data.run.hosts && data.machine->is_of_the_job ? "host" : "node";
}

/// "93% of the bytes leave their host", of those between different ranks; of a machine with one
/// node what crosses its uppermost level. Empty without such bytes.
std::string far_words(const ReportData& data, const ReportOrder& order) {
  const Weight between_ranks = data.totals.bytes - data.totals.self_bytes;
  if (order.level_bytes.empty() || between_ranks == 0) return "";
  const bool has_nodes = data.machine->nodes > 1;
  if (!has_nodes && data.machine->levels.size() < 2) return "";
  const Weight far = has_nodes ? order.hosts.between : order.level_bytes.front();
  return fmt::format(
      "{} of the bytes {}",
      short_percent(static_cast<double>(far) / static_cast<double>(between_ranks)),
      has_nodes ? fmt::format("leave their {}", node_word(data))
                : fmt::format("cross the {}", name_in_words(data.machine->levels.front().name)));
}

std::string class_words(const ReportTotals& totals) {
  static constexpr std::pair<const char*, const char*> names[] = {
      {"p2p", "point-to-point"}, {"coll", "collectives"}, {"rma", "one-sided"}};
  std::string words;
  for (const auto& [key, name] : names) {
    const auto found = totals.classes.find(key);
    if (found == totals.classes.end() || found->second == 0) continue;
    words += fmt::format(
        "{}{} {}", words.empty() ? ": " : ", ",
        short_percent(static_cast<double>(found->second) / static_cast<double>(totals.bytes)),
        name);
  }
  return words;
}

std::string traffic_sentence(const ReportData& data) {
  const ReportRun& run = data.run;
  std::string text = run.program.empty() ? "" : name_in_words(run.program) + ": ";
  text += number_of(run.ranks, "rank");
  if (run.hosts) text += " on " + number_of(*run.hosts, "host");
  text += fmt::format(" sent {}", short_bytes(data.totals.bytes));
  if (data.totals.messages) text += " in " + number_of(*data.totals.messages, "message");
  text += fmt::format(" between {} of ranks{}.", number_of(data.totals.pairs, "pair"),
                      class_words(data.totals));
  const std::string far = far_words(data, data.orders.front());
  if (!far.empty()) text += fmt::format(" In the {}, {}.", data.orders.front().name, far);
  if (!data.talkers.empty()) {
    const Talker& pair = data.talkers.front();
    text += fmt::format(" The heaviest pair, ranks {} and {}, exchanges {}.", pair.a.value,
                        pair.b.value, short_bytes(pair.bytes));
  }
  if (run.is_partial) text += " The trace is partial: the run did not reach MPI_Finalize.";
  return text;
}

const ReportOrder* order_of_kith(const ReportData& data) {
  const auto kith = std::ranges::find(data.orders, "kith", &ReportOrder::id);
  return kith == data.orders.end() ? nullptr : &*kith;
}

/// How good the best of the orders is; empty where that is unknown.
std::string bound_sentence(const ReportData& data, const std::optional<ReorderDecision>& decision) {
  const std::string best =
      data.orders.size() == 1 ? "The present order" : "The best of these orders";
  if (decision && decision->is_optimal && decision->goal.name() == data.objective &&
      data.gap != 0.0) {
    return fmt::format(
        "{} is optimal as long as rank 0 keeps its process: no other one can be better.",
        order_of_kith(data) == nullptr ? "The present order" : "Kith's order");
  }
  if (!data.gap) return "";
  if (*data.gap == 0) return best + " is optimal: no order can be better.";
  if (*data.gap > telling_gap) return "How much better an order can be is not known.";
  const std::string gap = short_percent(*data.gap);
  if (gap.starts_with("less")) {
    return fmt::format("{} is at most 0.1% above the optimum.", best);
  }
  return fmt::format("{} is at most {} above the optimum.", best, gap);
}

/// Of each order but the present one.
std::string orders_sentence(const ReportData& data) {
  std::string text;
  std::size_t told = 0;
  for (std::size_t i = 1; i < data.orders.size() && told < most_mappings_in_words; ++i, ++told) {
    const ReportOrder& order = data.orders[i];
    if (!order.ratio) continue;
    text += fmt::format("{}{}: {} {:.2f} of that of the {}", text.empty() ? "" : "; ",
                        name_in_words(order.name), data.objective, *order.ratio,
                        data.orders.front().name);
    const std::string far = far_words(data, order);
    if (!far.empty()) text += ", " + far;
  }
  return text.empty() ? text : text + ".";
}

std::string made_by(const ReorderDecision& decision) {
  return fmt::format("algorithm {}{}{}", decision.algorithm, decision.account.empty() ? "" : ": ",
                     decision.account);
}

double saved_by(const ReorderDecision& decision) {
  const std::uint64_t before = goal_units(decision.goal, decision.before, decision.before);
  if (before == 0) return 0;
  return 1 - static_cast<double>(goal_units(decision.goal, decision.after, decision.before)) /
                 static_cast<double>(before);
}

/// Whether it can be said which of this order and the present one takes less time.
bool is_clear(const ReportData& data, const ReportOrder& order) {
  const auto seconds_of = [](const ReportOrder& of) {
    return simulate::Seconds{of.predicted->seconds, of.predicted->low, of.predicted->high};
  };
  return simulate::is_difference_clear(seconds_of(order), seconds_of(data.orders.front()),
                                       data.seconds->miss);
}

/// As a job sees it: an order that takes no less time is not applied, whatever it spares.
bool saves_no_time(const ReportData& data) {
  const ReportOrder* const kith = order_of_kith(data);
  if (kith == nullptr || !data.seconds) return false;
  const auto seconds_of = [](const ReportPrediction& of) {
    return simulate::Seconds{of.seconds, of.low, of.high};
  };
  return simulate::saves_no_time(seconds_of(*kith->predicted),
                                 seconds_of(*data.orders.front().predicted),
                                 data.seconds->simulated ? data.seconds->miss : std::nullopt);
}

/// Other commands look for places on the whole machine.
std::string slots_sentence(const ReorderDecision& decision, const ReportData& data) {
  if (!decision.apply || data.machine->allowed <= data.run.ranks) return "";
  return fmt::format(
      " Kith's order keeps to the slots of the present order, as a job does; kith compare and "
      "kith map look at all {} slots of {}.",
      data.machine->allowed, printable(data.machine->spec));
}

std::string decision_sentence(const ReorderDecision& decision, const ReportData& data) {
  const std::uint32_t ranks = data.run.ranks;
  const double saved = saved_by(decision);
  const double least = ReorderOptions{}.min_gain;
  if (decision.apply && saves_no_time(data)) {
    return fmt::format(
        "Kith would keep the present order: in another one {}, but it would save no time ({}).",
        gain_words(decision.goal, saved), made_by(decision));
  }
  if (decision.apply && saved < least) {
    return fmt::format("Kith would reorder: {} stays nearly as it is, but {}.",
                       decision.goal.name(), decision.reason);
  }
  if (decision.apply) {
    return fmt::format(
        "Kith would reorder: {}, more than the {} that KITH_MIN_GAIN asks for; {} of {} ranks "
        "would move, rank 0 keeps its process ({}).",
        gain_words(decision.goal, saved), short_percent(least), decision.moved, ranks,
        made_by(decision));
  }
  if (saved > 0) {
    return fmt::format(
        "Kith would keep the present order: in the best one found {}{}, less than the {} that "
        "KITH_MIN_GAIN asks for ({}).",
        gain_words(decision.goal, saved), of_run_words(decision.gain), short_percent(least),
        made_by(decision));
  }
  if (goal_units(decision.goal, decision.before, decision.before) == 0) {
    return "Kith would keep the present order: there is nothing to gain.";
  }
  return fmt::format("Kith would keep the present order: it found no better one ({}).",
                     made_by(decision));
}

/// A SPEC with room for the ranks, to be replaced by the true one.
std::string example_spec(std::uint32_t ranks) {
  constexpr std::uint32_t slots_of_a_node = 16;
  return fmt::format("tree:{}x2x8", std::max(2U, (ranks - 1) / slots_of_a_node + 1));
}

/// The options that make another command see the same machine.
std::string machine_in_words(const ReportCommand& command) {
  std::string words;
  const MachineChoice& machine = command.machine;
  if (machine.topology) words += " --topology " + word_for_shell(*machine.topology);
  if (machine.granularity == Granularity::pu) words += " --granularity pu";
  return words;
}

/// And those that make it look for the same order.
std::string search_in_words(const ReportCommand& command, const ReportData& data,
                            const Goal& decided_by) {
  std::string words = machine_in_words(command);
  const std::string goal = decided_by.name();
  if (command.goal || goal != data.objective) words += " --objective " + word_for_shell(goal);
  if (command.effort != ReportCommand{}.effort) words += " --effort " + effort_name(command.effort);
  return words;
}

std::string uneven_of(const ReportData& data) {
  return data.time ? data.time->uneven : std::string();
}

/// What there is to do about a machine that the job did not run on.
std::string next_on_assumed(const ReportCommand& command, const ReportData& data,
                            const std::string& verdict) {
  const std::string trace = word_for_shell(command.trace);
  std::string text = fmt::format(
      "{} is not the machine of the run, which had {}. Next, for that one: kith report {}.",
      printable(data.machine->spec), number_of(*data.run.hosts, "host"), trace);
  if (verdict != "reorder") return text;
  return text +
         fmt::format(
             " For that order in a job on a machine like {}: kith run --reorder {} -- and the "
             "command that starts the program.",
             printable(data.machine->spec), trace);
}

/// A job finds the same order from the trace; what it cannot be told goes through a mapping.
std::string how_to_reorder(const ReportCommand& command, const ReportData& data,
                           const Goal& decided_by) {
  const std::string trace = word_for_shell(command.trace);
  const bool by_trace = data.run.hosts && !command.goal &&
                        command.effort == ReportCommand{}.effort &&
                        command.machine.granularity == Granularity::core;
  if (by_trace) {
    const std::string topology = machine_in_words(command);
    return fmt::format(
        "Next: kith run --reorder {}{} -- and the command that starts the program. Or leave it to "
        "Kith, run by run: kith run --reorder auto{} -- and that command.",
        trace, topology, topology);
  }
  const std::string mapping = word_for_shell(
      std::filesystem::path(command.trace).lexically_normal().stem().string() + ".map");
  return fmt::format(
      "Next: kith map {}{} --fix 0={} -o {}, then kith run --reorder {} -- and the command that "
      "starts the program.",
      trace, search_in_words(command, data, decided_by),
      data.orders.front().mapping->slot_of[0].value, mapping, mapping);
}

std::string next_sentence(const ReportCommand& command, const ReportData& data,
                          const std::optional<ReorderDecision>& decision,
                          const std::string& verdict) {
  const std::string trace = word_for_shell(command.trace);
  if (!data.machine) {
    return fmt::format(
        "Next, with the machine of the job, such as: kith report {} --topology {} -o report.html",
        trace, example_spec(data.run.ranks));
  }
  if (is_assumed(data)) return next_on_assumed(command, data, verdict);
  if (verdict == "reorder") return how_to_reorder(command, data, decision->goal);
  return fmt::format(
      "{} What the algorithms make of it: kith compare {}{}",
      data.binding.empty() && uneven_of(data).empty() ? "Nothing needs to be done."
                                                      : "The order may stay.",
      trace, decision ? search_in_words(command, data, decision->goal) : machine_in_words(command));
}

/// ", and 40% fewer leave their host": what Kith's order spares the network. Empty where nothing.
std::string spared_words(const ReportData& data) {
  const ReportOrder* const kith = order_of_kith(data);
  if (kith == nullptr || data.machine->nodes < 2) return "";
  const Weight before = data.orders.front().hosts.between;
  const Weight after = kith->hosts.between;
  if (after >= before) return "";
  const double spared = 1 - static_cast<double>(after) / static_cast<double>(before);
  return fmt::format(", and {} fewer bytes leave their {}", short_percent(spared), node_word(data));
}

/// "12.3 s predicted (11.1 s..13.5 s) instead of 18.9 s, 18.7 s measured"; empty without
/// predictions. `order`: null where the present one stays.
std::string seconds_words(const ReportData& data, const ReportOrder* order) {
  if (!data.seconds) return "";
  const ReportPrediction& now = *data.orders.front().predicted;
  std::string text;
  if (order != nullptr) {
    const ReportPrediction& then = *order->predicted;
    text =
        fmt::format("{} predicted ({}..{}) instead of {}", short_seconds(then.seconds),
                    short_seconds(then.low), short_seconds(then.high), short_seconds(now.seconds));
  } else {
    // Predictions may be fitted to what was measured.
    text = short_seconds(data.seconds->simulated.value_or(now.seconds)) + " simulated";
  }
  if (!data.seconds->simulated) return text;
  return text + fmt::format(", {} measured", short_seconds(data.seconds->recorded));
}

/// Where seconds come from, how far they miss the clock, and which order takes fewest.
std::string seconds_sentence(const ReportData& data) {
  if (!data.seconds) return "";
  std::string text;
  for (std::string sentence : data.seconds->clock) {
    sentence.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    text += (text.empty() ? "" : " ") + sentence + ".";
  }
  constexpr double close = 0.02;
  const double present = data.orders.front().predicted->seconds;
  const double simulated = data.seconds->simulated.value_or(present);
  if (std::abs(simulated - present) > close * present) {
    text += " Predictions are fitted to the recorded run.";
  }
  const auto best = std::ranges::min_element(
      data.orders, {}, [](const ReportOrder& order) { return order.predicted->seconds; });
  if (best == data.orders.begin()) {
    return text + fmt::format(" No order is predicted to take less time than the {}, {}.",
                              best->name, short_seconds(best->predicted->seconds));
  }
  if (!is_clear(data, *best)) {
    return text +
           fmt::format(" Whether {} takes less time than the {} is unclear: {} predicted, {}.",
                       name_in_words(best->name), data.orders.front().name,
                       short_seconds(best->predicted->seconds),
                       short_seconds(data.orders.front().predicted->seconds));
  }
  return text + fmt::format(" Fewest seconds are predicted for {}: {}.", name_in_words(best->name),
                            seconds_words(data, &*best));
}

/// Beyond doubt: threads may be bound by what a trace does not tell.
bool has_wrong_binding(const ReportData& data) {
  return std::ranges::any_of(
      data.binding, [](const BindingFault& fault) { return fault.rule != "spread-threads"; });
}

/// The first mistakes; the page has them all.
std::vector<std::string> binding_sentences(const ReportData& data) {
  constexpr std::size_t most = 2;
  std::vector<std::string> sentences;
  for (const BindingFault& fault : data.binding) {
    if (sentences.size() == most) break;
    sentences.push_back(
        fmt::format("Wrong binding {}. Mend it with {}.", in_words(fault), fault.mend));
  }
  return sentences;
}

std::string headline_of_traffic(const ReportData& data,
                                const std::optional<ReorderDecision>& decision) {
  if (data.totals.pairs == 0) return "The ranks send each other nothing";
  if (!data.machine || !decision) {
    return fmt::format("{} sent {} between {}", number_of(data.run.ranks, "rank"),
                       short_bytes(data.totals.bytes), number_of(data.totals.pairs, "pair"));
  }
  const double saved = saved_by(*decision);
  if (decision->apply && saves_no_time(data)) {
    return "Keep the present order: in another one " + gain_words(decision->goal, saved) +
           ", but it would save no time";
  }
  if (decision->apply && saved < ReorderOptions{}.min_gain) {
    return fmt::format("In a better order bytes would travel less far, at nearly the same {}",
                       decision->goal.name());
  }
  if (decision->apply) {
    return "In a better order " + gain_words(decision->goal, saved) + spared_words(data);
  }
  if (data.gap && *data.gap == 0 && data.orders.size() == 1) {
    return "Keep the present order: it is optimal";
  }
  if (saved > 0) {
    return "Keep the present order: in the best one found " + gain_words(decision->goal, saved) +
           of_run_words(decision->gain);
  }
  return "Keep the present order: no better one was found";
}

/// With seconds, where they are known and there is a verdict.
std::string headline(const ReportData& data, const std::optional<ReorderDecision>& decision) {
  std::string about = headline_of_traffic(data, decision);
  if (decision && is_assumed(data)) {
    about.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(about.front())));
    about = fmt::format("On {}, which is not the machine of the run: {}",
                        printable(data.machine->spec), about);
  }
  const std::string text =
      about + (has_wrong_binding(data) ? "; mend the binding of the ranks" : "");
  if (!decision || !data.seconds) return text;
  const ReportOrder* const kith = order_of_kith(data);
  if (kith != nullptr && !is_clear(data, *kith)) {
    return saves_no_time(data) ? text : text + "; whether that takes less time is unclear";
  }
  return text + "; " + seconds_words(data, kith);
}

}  // namespace

ReportSummary summary_words(const ReportCommand& command, const ReportData& data,
                            const std::optional<ReorderDecision>& decision) {
  ReportSummary summary;
  if (decision) {
    summary.verdict = decision->apply && !saves_no_time(data) ? "reorder" : "keep";
  }
  summary.headline = headline(data, decision);
  const std::string seconds = seconds_sentence(data);
  summary.sentences.push_back(traffic_sentence(data));
  const std::string orders = orders_sentence(data);
  const std::string bound = bound_sentence(data, decision);
  if (!orders.empty() || !bound.empty()) {
    summary.sentences.push_back(orders + (orders.empty() || bound.empty() ? "" : " ") + bound);
  }
  if (decision) {
    summary.sentences.push_back(decision_sentence(*decision, data) +
                                slots_sentence(*decision, data));
  }
  if (!seconds.empty()) summary.sentences.push_back(seconds);
  if (const std::string uneven = uneven_of(data); !uneven.empty()) {
    summary.sentences.push_back(uneven + ".");
  }
  for (const std::string& sentence : binding_sentences(data)) summary.sentences.push_back(sentence);
  summary.sentences.push_back(next_sentence(command, data, decision, summary.verdict));
  return summary;
}

}  // namespace kith::tools
