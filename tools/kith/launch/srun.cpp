// Slurm's srun: --export=ALL,NAME=VALUE, once for every component of the step.
#include <algorithm>

#include "kith/error.hpp"
#include "launch/launcher.hpp"

namespace kith::tools {

const OptionTable& srun_options() {
  static const OptionTable table(
      "E preserve-env s oversubscribe O overcommit k no-kill K Z no-allocate Q quiet v "
      "verbose V version H hold I immediate l label u unbuffered X disable-status contiguous "
      "exclusive multi-prog overlap exact nice propagate pty reboot send-libs spread-job "
      "test-only use-min-nodes wait-all-nodes whole h help usage",
      "A account b begin B extra-node-info c cpus-per-task C constraint d dependency D chdir "
      "e error G gpus i input J job-name L licenses m distribution M clusters n ntasks N "
      "nodes o output p partition q qos r relative R S core-spec t time T threads w nodelist "
      "W wait x exclude a attach jobid acctg-freq bb bbf bcast bcast-exclude compress "
      "cluster-constraint comment container cores-per-socket cpu-bind cpu_bind cpu-freq "
      "cpus-per-gpu deadline delay-boot epilog export extra gpu-bind gpu-freq gpus-per-node "
      "gpus-per-socket gpus-per-task gres gres-flags hint het-group pack-group "
      "kill-on-bad-exit mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu "
      "mincpus mpi msg-timeout network ntasks-per-core ntasks-per-gpu ntasks-per-node "
      "ntasks-per-socket ntasks-per-tres open-mode power priority profile prolog reservation "
      "resv-ports signal slurmd-debug sockets-per-node switches task-epilog task-prolog "
      "thread-spec threads-per-core time-min tmp tres-bind tres-per-task uid gid wckey",
      "", ShortOptions::attached);
  return table;
}

namespace {

/// Pieces between commas that stand outside quotation marks.
std::vector<std::string> split_export(const std::string& text) {
  std::vector<std::string> items(1);
  char quote = 0;
  for (const char c : text) {
    if (quote == 0 && c == ',') {
      items.emplace_back();
      continue;
    }
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    items.back() += c;
  }
  return items;
}

bool same_word(std::string_view text, std::string_view upper) {
  return std::ranges::equal(
      text, upper, {}, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
}

/// Adds our exports to the value of an --export.
std::string merged(const std::string& value, const Exports& exports, Launch& launch) {
  auto variables = exports.inherited;
  std::optional<std::string> preload = exports.preload;
  std::string list;
  for (const std::string& item : split_export(value)) {
    const auto equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const bool ours = name.starts_with("KITH_");
    if (item.empty() ||
        (equals == std::string::npos && (same_word(item, "NONE") || same_word(item, "NIL"))))
      continue;
    if (name == "LD_PRELOAD") {
      if (equals != std::string::npos) preload = item.substr(equals + 1);
      continue;
    }
    if (ours && exports.ours.contains(name)) continue;
    if (ours) variables.erase(name);
    list += item + ",";
  }
  for (const auto& [name, text] : exports.ours) variables[name] = text;
  variables["LD_PRELOAD"] = preload_value(exports.library, preload);
  for (const auto& [name, text] : variables) {
    list += name;
    // Commas and quotation marks mean something in the list: such a value goes by name, through
    // srun's own environment.
    if (text.find_first_of(",'\"") == std::string::npos) {
      list += "=" + text;
    } else if (name == "LD_PRELOAD") {
      throw bad_input("LD_PRELOAD",
                      "paths without commas and quotation marks (srun cannot pass them on)",
                      "'" + text + "'");
    } else {
      launch.environment[name] = text;
    }
    list += ',';
  }
  list.pop_back();
  return list;
}

}  // namespace

Launch add_exports_srun(const Words& command, std::size_t launcher, const Exports& exports) {
  // What srun takes where a component has no --export.
  const std::string usual = exports.environment("SLURM_EXPORT_ENV").value_or("ALL");
  Launch launch;
  auto& words = launch.words;
  words.assign(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(launcher) + 1);
  for (const Context& context : split_contexts(command, launcher, srun_options())) {
    std::string value = usual;
    Words kept;
    for (const OptionWords& option : options_of(command, context, srun_options())) {
      if (option.name.starts_with("export=")) {
        value = option.name.substr(7);
      } else if (option.name == "export" && option.words.size() == 2) {
        value = option.words[1];
      } else {
        kept.insert(kept.end(), option.words.begin(), option.words.end());
      }
    }
    words.push_back("--export=" + merged(value, exports, launch));
    words.insert(words.end(), kept.begin(), kept.end());
    words.insert(words.end(), command.begin() + static_cast<std::ptrdiff_t>(context.program),
                 command.begin() + static_cast<std::ptrdiff_t>(context.end));
    if (context.end < command.size()) words.emplace_back(":");
  }
  return launch;
}

}  // namespace kith::tools
