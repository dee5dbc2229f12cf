// kith completion: what makes a shell complete kith's words; and kith complete, which that asks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "command.hpp"
#include "command_line.hpp"
#include "help/completions.hpp"
#include "help/shell_scripts.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

/// One line per candidate, "=WORD<tab>MEANING", and one for each thing that the shell knows itself.
std::string as_lines(const Completions& found) {
  std::string text;
  for (const Completions::Candidate& candidate : found.candidates) {
    text += fmt::format("={}\t{}\n", printable(candidate.word), printable(candidate.meaning));
  }
  if (found.files) text += fmt::format("files:{}\n", found.file_prefix);
  if (found.command) text += "command\n";
  return text;
}

}  // namespace

std::function<void()> set_up_completion(CLI::App& app) {
  struct Options {
    std::string_view script;
    std::optional<std::string> output;
  };
  const auto options = std::make_shared<Options>();
  app.description(
      "Prints a script that makes a shell complete kith's subcommands, options and their values, "
      "algorithms, machines and files. Installations bring it along; without one, the shell reads "
      "it when it starts.");
  add_choice(app, "SHELL", options->script, {{"bash", bash_script}, {"zsh", zsh_script}},
             "Which one")
      ->required();
  app.add_option("-o", options->output, "The file to write (default standard output)")
      ->type_name("FILE");
  app.footer(
      "The script asks `kith` itself, so that it need not change with another version.\n"
      "Examples:\n"
      "  eval \"$(kith completion bash)\"                # in ~/.bashrc\n"
      "  kith completion zsh -o _kith                  # in a folder of zsh's $fpath");
  return [options] {
    if (!options->output) return print(options->script);
    write_file_atomically(*options->output, options->script);
  };
}

std::function<void()> set_up_complete(CLI::App&) {
  return [] { print(as_lines(complete(trailing_words()))); };
}

}  // namespace kith::tools
