// kith completion: what makes a shell complete kith's words; and kith complete, which that asks.
#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "core/parse_number.hpp"
#include "help/command_help.hpp"
#include "kith/io.hpp"
#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "options.hpp"
#include "output.hpp"
#include "profile/profile.hpp"

namespace kith::tools {

inline constexpr std::string_view bash_script = R"script(# bash completion for kith
_kith()
{
  # Bash breaks words also at ":" and "="; kith wants them whole, up to the cursor.
  local rest=${COMP_LINE:0:COMP_POINT} part i
  local -a words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then words+=(""); fi
    rest=${rest#"${rest%%[![:space:]]*}"}
    if ((i == COMP_CWORD)); then part=$rest; fi
    words[-1]+=$part
    rest=${rest#"$part"}
  done
  local last=${words[-1]} kept=
  case $part in
    : | =) kept=$last ;;
    *) kept=${last%"$part"} ;;
  esac

  COMPREPLY=()
  local line word name
  while IFS= read -r line; do
    case $line in
      =*)
        word=${line#=} word=${word%%$'\t'*}
        case $word in *[:=,]) compopt -o nospace 2> /dev/null ;; esac
        COMPREPLY+=("${word#"$kept"}")
        ;;
      files:*)
        name=${line#files:}
        compopt -o filenames 2> /dev/null
        while IFS= read -r word; do
          word=$name$word
          COMPREPLY+=("${word#"$kept"}")
        done < <(compgen -f -- "${last#"$name"}")
        ;;
      command)
        for ((i = 1; i < COMP_CWORD; i++)); do
          if [[ ${COMP_WORDS[i]} == -- ]]; then break; fi
        done
        if declare -F _command_offset > /dev/null; then
          _command_offset $((i + 1))
        elif ((i + 1 == COMP_CWORD)); then
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$part")
        else
          compopt -o filenames 2> /dev/null
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$part")
        fi
        ;;
    esac
  done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2> /dev/null)
}
complete -F _kith kith
)script";

inline constexpr std::string_view zsh_script = R"script(#compdef kith
_kith()
{
  local line word program=${(Q)words[1]}
  if [[ $program == "~/"* ]]; then program=$HOME${program#"~"}; fi
  local -a candidates shown spaceless
  for line in "${(@f)$($program complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}"; do
    case $line in
      "="*)
        word=${${line#"="}%%$'\t'*}
        if [[ $word == *[:=,] ]]; then
          spaceless+=("$word")
        else
          candidates+=("$word")
          shown+=("$word  ${line#*$'\t'}")
        fi
        ;;
      files:*)
        compset -P "${(b)${line#files:}}"
        _files
        ;;
      command)
        local behind=$words[(i)--]
        shift behind words
        (( CURRENT -= behind ))
        _normal
        ;;
    esac
  done
  (( $#candidates )) && compadd -l -d shown -- $candidates
  (( $#spaceless )) && compadd -S '' -- $spaceless
}
if [[ $funcstack[1] == _kith ]]; then
  _kith "$@"
else
  compdef _kith kith
fi
)script";

namespace {

/// What the shell may offer for the last word.
struct Completions {
  /// A word and what it means; the meaning may be empty.
  struct Candidate {
    std::string word;
    std::string meaning;
  };
  std::vector<Candidate> candidates;
  bool files = false;       ///< names of files, behind `file_prefix`
  std::string file_prefix;  ///< what of the last word is no part of a file's name: "hwloc:"
  bool command = false;     ///< somebody else's command line, from behind "--" on
};

bool is_literal(std::string_view word) {
  return !word.empty() && std::islower(static_cast<unsigned char>(word.front())) != 0 &&
         std::ranges::none_of(word, [](unsigned char c) {
           return std::islower(c) == 0 && std::isdigit(c) == 0 && c != '-' && c != '+';
         });
}

bool is_file(std::string_view name) {
  static constexpr std::array names{"FILE", "FOLDER", "IN", "MAPPING", "OUT", "SLOTS", "TRACE"};
  return std::ranges::find(names, name) != names.end() || name.find(".") != std::string_view::npos;
}

/// The word to be completed and what is found for it.
class Search {
 public:
  explicit Search(std::string word) : word_(std::move(word)) {}

  Completions take() { return std::move(found_); }

  void command() { found_.command = true; }

  void offer(const std::string& candidate, std::string_view meaning = {}) {
    if (candidate.starts_with(word_)) {
      found_.candidates.push_back({candidate, std::string(meaning)});
    }
  }

  /// What `value` of an option or an argument says; `prefix` stands before it in the same word.
  void offer_value(std::string_view value, const std::string& prefix) {
    for (const std::string_view part : split(value, '|')) {
      if (is_literal(part)) {
        offer(prefix + std::string(part));
      } else if (part == "SPEC") {
        offer_machines(prefix);
      } else if (part == "A" || part == "A,...") {
        offer_algorithms(prefix, part == "A,...");
      } else if (part == "NAME=VALUE") {
        offer_settings(prefix);
      } else if (part == "PROFILE") {
        offer_profiles(prefix);
      } else if (is_file(part)) {
        offer_files(prefix);
      }
    }
  }

 private:
  void offer_files(const std::string& prefix) {
    if (!word_.starts_with(prefix)) return;
    found_.files = true;
    found_.file_prefix = prefix;
  }

  /// "tree:", "hwloc:" and files behind it, "this".
  void offer_machines(const std::string& prefix) {
    const std::string examples = spec_examples();
    for (std::string_view example : split(examples, ',')) {
      example.remove_prefix(std::min(example.find_first_not_of(' '), example.size()));
      const auto colon = example.find(':');
      if (colon == std::string_view::npos) {
        offer(prefix + std::string(example));
        continue;
      }
      const std::string kind = prefix + std::string(example.substr(0, colon + 1));
      const bool is_of_file =
          example.find('.', colon) != std::string_view::npos || example.substr(colon + 1) == "FILE";
      if (is_of_file && word_.starts_with(kind)) {
        offer_files(kind);
      } else if (word_.size() < kind.size()) {
        offer(kind, "such as " + std::string(example));
      }
    }
  }

  void offer_algorithms(std::string prefix, bool is_list) {
    if (is_list) {
      const auto comma = word_.rfind(',');
      if (comma != std::string::npos && comma + 1 > prefix.size()) {
        prefix = word_.substr(0, comma + 1);
      }
    }
    for (const Mapper* const mapper : mappers()) {
      const std::string name = prefix + std::string(mapper->name());
      offer(name, mapper->summary());
      if (word_.starts_with(name)) offer(name + "+refine", "then refined by swaps");
    }
  }

  void offer_settings(const std::string& prefix) {
    for (const Mapper* const mapper : mappers()) {
      for (const MapperSetting& setting : mapper->settings()) {
        const std::string word = prefix + std::string(setting.name) + "=";
        if (std::ranges::find(found_.candidates, word, &Completions::Candidate::word) ==
            found_.candidates.end()) {
          offer(word, setting.meaning);
        }
      }
    }
  }

  void offer_profiles(const std::string& prefix) {
    for (const ListedProfile& profile : ProfileStore(read_profile_settings()).list()) {
      offer(prefix + profile.name);
    }
  }

  std::string word_;
  Completions found_;
};

void offer_commands(Search& search) {
  for (const Command& command : commands()) {
    if (command.is_listed()) search.offer(std::string(command.name), command.summary);
  }
  search.offer("--help", "Print all subcommands");
  search.offer("--version", "Print the version");
}

std::string first_sentence(const std::string& text) {
  return text.substr(0, std::min({text.find(". "), text.find(": "), text.find(" ("), text.size()}));
}

/// A command line behind the subcommand's name, read from the left.
class CommandLine {
 public:
  CommandLine(const CommandDescription& command, std::span<const std::string> words)
      : command_(command), last_(words.back()), before_(words.first(words.size() - 1)) {}

  Completions completions() {
    Search search(last_);
    read();
    if (behind_options_ && !command_.trailing_words.empty()) {
      search.command();
    } else if (awaited_ != nullptr) {
      search.offer_value(awaited_->value, "");
    } else if (!behind_options_ && last_.starts_with('-')) {
      offer_options(search);
    } else if (const OptionDescription* const argument = next_argument()) {
      search.offer_value(argument->value, "");
    } else {
      offer_options(search);
    }
    return search.take();
  }

 private:
  void read() {
    for (const std::string& word : before_) {
      if (awaited_ != nullptr) {
        awaited_ = nullptr;
      } else if (!behind_options_ && word == "--") {
        behind_options_ = true;
      } else if (!behind_options_ && word.starts_with('-')) {
        const OptionDescription* const option =
            command_.find_option(word.substr(0, word.find('=')));
        if (option == nullptr) continue;
        given_.push_back(option);
        if (!option->value.empty() && word.find('=') == std::string::npos) awaited_ = option;
      } else {
        ++arguments_;
      }
    }
  }

  const OptionDescription* next_argument() const {
    const auto& all = command_.arguments;
    if (arguments_ < all.size()) return &all[arguments_];
    return !all.empty() && all.back().is_repeatable ? &all.back() : nullptr;
  }

  bool may_follow(const OptionDescription& option) const {
    return std::ranges::none_of(given_, [&](const OptionDescription* given) {
      if (given == &option) return !option.is_repeatable;
      return std::ranges::any_of(given->excludes,
                                 [&](const std::string& name) { return option.is_called(name); });
    });
  }

  void offer_options(Search& search) const {
    const auto equals = last_.find('=');
    if (equals != std::string::npos) {
      const OptionDescription* const option = command_.find_option(last_.substr(0, equals));
      if (option != nullptr) search.offer_value(option->value, last_.substr(0, equals + 1));
      return;
    }
    for (const OptionGroup& group : command_.groups) {
      for (const OptionDescription& option : group.options) {
        if (!may_follow(option)) continue;
        for (const std::string& name : option.names) {
          search.offer(name, first_sentence(option.text));
        }
      }
    }
    if (!command_.trailing_words.empty()) search.offer("--", "The launcher's command follows");
  }

  const CommandDescription& command_;
  const std::string& last_;
  std::span<const std::string> before_;
  const OptionDescription* awaited_ = nullptr;  // whose value comes next
  std::vector<const OptionDescription*> given_;
  std::size_t arguments_ = 0;
  bool behind_options_ = false;
};

/// What may stand at the end of `words`, the command line without "kith"; the last word is the one
/// to be completed, maybe empty. Only candidates that begin as it does.
Completions complete(std::span<const std::string> words) {
  if (words.empty()) return {};
  if (words.size() == 1) {
    Search search(words.front());
    offer_commands(search);
    return search.take();
  }
  const auto all = commands();
  const auto command = std::ranges::find(all, words.front(), &Command::name);
  if (command == all.end() || !command->has_pages()) return {};
  const CommandDescription description = describe(*command);
  return CommandLine(description, words.subspan(1)).completions();
}

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
