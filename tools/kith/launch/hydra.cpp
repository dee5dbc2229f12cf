// Hydra (MPICH, Intel MPI, MVAPICH): -genv NAME VALUE, once for all programs of the command.
#include "launch/launcher.hpp"

namespace kith::tools {

const OptionTable& hydra_options() {
  static const OptionTable table(
      "genvnone genvall envnone envall l prepend-rank verbose v version V info help h "
      "print-all-exitcodes enable-x disable-x disable-auto-cleanup "
      "disable-hostname-propagation skip-launch-node nolocal rr profile pmi-port noconf "
      "ilp64 check_mpi gdb cleanup localonly",
      "n np f hosts host hostfile machinefile machine wdir path configfile umask launcher "
      "launcher-exec rmk ppn perhost grr iface demux outfile outfile-pattern errfile "
      "errfile-pattern prepend-pattern bind-to map-by membind topolib usize order-nodes "
      "localhost genvlist envlist nameserver bootstrap bootstrap-exec s tune gtool gtoolfile "
      "rankmap arch soft file ckpoint-interval ckpoint-prefix ckpointlib branch-count tmpdir "
      "gpus-per-proc",
      "genv env", ShortOptions::separate);
  return table;
}

namespace {

/// A setting of one of our variables among a context's options.
struct HydraSetting {
  std::string name;
  std::string value;
  std::size_t words;  ///< that the option takes in all
};

/// "-genv NAME VALUE" or "-genv NAME=VALUE" at `index`.
std::optional<HydraSetting> setting_at(const Words& command, std::size_t index, std::size_t end) {
  const std::string& option = command[index];
  const bool sets =
      option == "-genv" || option == "--genv" || option == "-env" || option == "--env";
  if (!sets || index + 1 >= end) return std::nullopt;
  const std::string& first = command[index + 1];
  const auto equals = first.find('=');
  if (equals != std::string::npos)
    return HydraSetting{first.substr(0, equals), first.substr(equals + 1), 2};
  if (index + 2 >= end) return std::nullopt;
  return HydraSetting{first, command[index + 2], 3};
}

/// Copies the options of one context without settings of our variables. What the command sets for
/// all programs goes into `own`; what it sets for one program stays there, with our library added.
void copy_options(const Words& command, const Context& context, const Exports& exports, Words& out,
                  std::map<std::string, std::string>& own, std::size_t& program) {
  std::size_t at = context.begin;
  while (at < context.end && command[at].size() > 1 && command[at].front() == '-') {
    const auto setting = setting_at(command, at, context.end);
    const std::size_t words =
        setting ? setting->words : 1 + hydra_options().values(command, at, context.end);
    const bool is_preload = setting && setting->name == "LD_PRELOAD";
    const bool is_ours = setting && setting->name.starts_with("KITH_");
    const bool for_all = command[at].find("genv") != std::string::npos;
    if (is_preload && for_all) {
      own[setting->name] = setting->value;
    } else if (is_preload) {
      out.insert(out.end(), {"-env", "LD_PRELOAD", preload_value(exports.library, setting->value)});
    } else if (is_ours && for_all) {
      own[setting->name] = setting->value;
    } else if (!is_ours || !exports.ours.contains(setting->name)) {
      out.insert(out.end(), command.begin() + static_cast<std::ptrdiff_t>(at),
                 command.begin() + static_cast<std::ptrdiff_t>(at + words));
    }
    at += words;
  }
  program = at;
}

}  // namespace

Launch add_exports_hydra(const Words& command, std::size_t launcher, const Exports& exports) {
  std::map<std::string, std::string> own;
  Words rest;
  for (const Context& context : split_contexts(command, launcher, hydra_options())) {
    std::size_t program = context.program;
    copy_options(command, context, exports, rest, own, program);
    rest.insert(rest.end(), command.begin() + static_cast<std::ptrdiff_t>(program),
                command.begin() + static_cast<std::ptrdiff_t>(context.end));
    if (context.end < command.size()) rest.emplace_back(":");
  }
  std::map<std::string, std::string> all = exports.inherited;
  for (const auto& [name, value] : own) all[name] = value;
  for (const auto& [name, value] : exports.ours) all[name] = value;
  const auto preload =
      own.contains("LD_PRELOAD") ? std::optional(own.at("LD_PRELOAD")) : exports.preload;
  all["LD_PRELOAD"] = preload_value(exports.library, preload);

  Launch launch;
  launch.words.assign(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(launcher) + 1);
  for (const auto& [name, value] : all) {
    launch.words.insert(launch.words.end(), {"-genv", name, value});
  }
  launch.words.insert(launch.words.end(), rest.begin(), rest.end());
  return launch;
}

}  // namespace kith::tools
