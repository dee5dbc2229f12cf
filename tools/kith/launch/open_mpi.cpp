// Open MPI and PRRTE: -x NAME=VALUE, once for every program of the command.
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "launch/launcher.hpp"

namespace kith::tools {

const OptionTable& open_mpi_options() {
  static const OptionTable table(
      "q quiet v verbose V version h help allow-run-as-root bynode bycore byslot bysocket "
      "bind-to-core bind-to-none bind-to-socket continuous d debug debug-devel debug-daemons "
      "debug-daemons-file disable-recovery display-allocation display-devel-allocation "
      "display-devel-map display-diffable-map display-map display-topo do-not-launch "
      "do-not-resolve dvm enable-instant-on-support enable-recovery fwd-mpirun-port "
      "get-stack-traces index-argv-by-rank leave-session-attached merge-stderr-to-stdout "
      "nolocal nooversubscribe noprefix novm oversubscribe output-proctable parsable "
      "parseable pernode report-bindings report-child-jobs-separately "
      "report-state-on-timeout s preload-binary set-cwd-to-session-dir show-progress staged "
      "tag-output timestamp-output tv use-hwthread-cpus use-regexp xml",
      "c n np N H host hostfile machinefile default-hostfile map-by rank-by bind-to cpu-set "
      "cpu-list cpus-per-proc cpus-per-rank cf cartofile ppr rf rankfile npernode npersocket "
      "output-filename output xml-file xterm am app launch-agent path personality prefix "
      "preload-files wd wdir x stdin debugger report-events report-pid report-uri timeout "
      "tune ompi-server server-wait-time max-restarts max-vm-size slot-list tmpdir display "
      "runtime-options pset dvm-uri add-hostfile add-host forward-signals",
      "mca gmca omca gomca pmca gpmca prtemca gprtemca pmixmca gpmixmca", ShortOptions::separate);
  return table;
}

namespace {

using Variables = std::map<std::string, std::string>;

bool is_mca(std::string_view name) {
  return name == "mca" || name == "gmca" || name == "omca" || name == "gomca";
}

constexpr const char* list_parameter = "mca_base_env_list";
constexpr const char* list_variable = "OMPI_MCA_mca_base_env_list";
constexpr const char* delimiter_parameter = "mca_base_env_list_delimiter";
constexpr const char* delimiter_variable = "OMPI_MCA_mca_base_env_list_delimiter";

/// "NAME=VALUE" or "NAME", whose value is that of our environment.
struct MpirunSetting {
  std::string name;
  std::optional<std::string> value;
};

MpirunSetting parse_setting(std::string_view text, const Exports& exports) {
  const auto equals = text.find('=');
  std::string name(text.substr(0, equals));
  if (equals != std::string_view::npos) return {name, std::string(text.substr(equals + 1))};
  return {name, exports.environment(name)};
}

/// What the command itself sets for the variables that are ours to set.
struct Own {
  std::optional<std::string> preload;
  Variables kith;
};

/// Takes note of a setting; true when the word is to go, as we set the variable anew.
bool take(const MpirunSetting& setting, const Exports& exports, Own& own) {
  if (setting.name == "LD_PRELOAD") {
    own.preload = setting.value;
    return true;
  }
  if (setting.name.starts_with("KITH_")) {
    if (setting.value && !exports.ours.contains(setting.name)) {
      own.kith[setting.name] = *setting.value;
    }
    return true;
  }
  return false;
}

Variables all_exports(const Exports& exports, const Own& own) {
  Variables all = exports.inherited;
  for (const auto& [name, value] : own.kith) all[name] = value;
  for (const auto& [name, value] : exports.ours) all[name] = value;
  all["LD_PRELOAD"] = preload_value(exports.library, own.preload ? own.preload : exports.preload);
  return all;
}

/// The options of one program, its settings of our variables replaced.
Words options_with_exports(const Words& command, const Context& context, const Exports& exports) {
  Own own;
  Words kept;
  for (const OptionWords& option : options_of(command, context, open_mpi_options())) {
    const bool sets = option.name == "x" && option.words.size() == 2;
    if (sets && take(parse_setting(option.words[1], exports), exports, own)) continue;
    kept.insert(kept.end(), option.words.begin(), option.words.end());
  }
  Words words;
  for (const auto& [name, value] : all_exports(exports, own)) {
    words.insert(words.end(), {"-x", name + "=" + value});
  }
  words.insert(words.end(), kept.begin(), kept.end());
  return words;
}

/// Open MPI refuses -x beside its parameter mca_base_env_list: then the exports join that list.
struct EnvironmentList {
  std::string value;
  char delimiter = ';';
  std::size_t word = 0;  ///< the value's index in the command; 0: it stands in the environment
};

std::optional<EnvironmentList> find_list(const Words& command, const std::vector<Context>& contexts,
                                         const Exports& exports) {
  std::optional<EnvironmentList> list;
  auto delimiter = exports.environment(delimiter_variable);
  if (const auto value = exports.environment(list_variable)) list = {*value};
  for (const Context& context : contexts) {
    for (const OptionWords& option : options_of(command, context, open_mpi_options())) {
      if (!is_mca(option.name) || option.words.size() != 3) continue;
      if (option.words[1] == delimiter_parameter) delimiter = option.words[2];
      if (option.words[1] != list_parameter) continue;
      const auto index = static_cast<std::size_t>(&option.words[2] - command.data());
      list = {option.words[2], ';', index};
    }
  }
  if (list && delimiter && !delimiter->empty()) list->delimiter = delimiter->front();
  return list;
}

Launch join_list(const Words& command, const EnvironmentList& list, const Exports& exports) {
  Own own;
  std::string value;
  for (const std::string_view item : split(list.value, list.delimiter)) {
    if (item.empty() || take(parse_setting(item, exports), exports, own)) continue;
    value += std::string(item) + list.delimiter;
  }
  Launch launch{command, {}};
  for (const auto& [name, text] : all_exports(exports, own)) {
    value += name;
    // A value with the delimiter in it is handed over by name; the launcher must not be preloaded.
    if (text.find(list.delimiter) == std::string::npos) {
      value += "=" + text;
    } else if (name == "LD_PRELOAD") {
      throw bad_input(list_parameter, "a delimiter that is not part of LD_PRELOAD",
                      std::string("'") + list.delimiter + "'");
    } else {
      launch.environment[name] = text;
    }
    value += list.delimiter;
  }
  value.pop_back();
  if (list.word != 0) {
    launch.words[list.word] = value;
  } else {
    launch.environment[list_variable] = value;
  }
  return launch;
}

void refuse_appfile(const Words& command, const std::vector<Context>& contexts) {
  for (const Context& context : contexts) {
    for (const OptionWords& option : options_of(command, context, open_mpi_options())) {
      if (option.name != "app") continue;
      throw bad_input("--app", "the programs on the command line (an appfile would hide them)",
                      option.words.size() > 1 ? "'" + option.words[1] + "'" : "--app");
    }
  }
}

}  // namespace

Launch add_exports_open_mpi(const Words& command, std::size_t launcher, const Exports& exports) {
  const auto contexts = split_contexts(command, launcher, open_mpi_options());
  refuse_appfile(command, contexts);
  if (const auto list = find_list(command, contexts, exports)) {
    return join_list(command, *list, exports);
  }
  Launch launch;
  auto& words = launch.words;
  words.assign(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(launcher) + 1);
  for (const Context& context : contexts) {
    const Words options = options_with_exports(command, context, exports);
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), command.begin() + static_cast<std::ptrdiff_t>(context.program),
                 command.begin() + static_cast<std::ptrdiff_t>(context.end));
    if (context.end < command.size()) words.emplace_back(":");
  }
  return launch;
}

}  // namespace kith::tools
