// kith man: manual pages in roff, from what the help is made of.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "help/command_help.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"
#include "protocol/settings.hpp"

namespace kith::tools {
namespace {

struct ManPage {
  std::string name;  ///< "kith", "kith-map", "kith-environment"
  int section = 1;
  std::string text;

  /// "kith-map.1"
  std::string file_name() const { return name + "." + std::to_string(section); }
};

/// Text that roff takes as it stands.
std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string slanted(std::string_view text) {
  return fmt::format("\\fI{}\\fR", plain(text));
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", plain(text));
}

/// What stands for something else is slanted, literal words are bold.
std::string value_text(std::string_view value) {
  std::string out;
  std::string_view rest = value;
  while (!rest.empty()) {
    const auto is_name = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
    const auto end = std::min(rest.find('|'), rest.size());
    const std::string_view part = rest.substr(0, end);
    out += std::ranges::any_of(part, is_name) ? slanted(part) : bold(part);
    if (end == rest.size()) break;
    out += '|';
    rest.remove_prefix(end + 1);
  }
  return out;
}

std::string heading(const OptionDescription& option) {
  std::string out;
  for (const std::string& name : option.names) {
    if (!out.empty()) out += ", ";
    out += option.names.front().starts_with('-') ? bold(name) : slanted(name);
  }
  if (option.names.front().starts_with('-') && !option.value.empty()) {
    out.append(" ").append(value_text(option.value));
  }
  return out;
}

std::string man_entries(const std::vector<OptionDescription>& options) {
  std::string out;
  for (const OptionDescription& option : options) {
    out += fmt::format(".TP\n{}\n{}\n", heading(option), plain(explanation_of(option)));
  }
  return out;
}

std::string lower_first(std::string text) {
  text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string title(const std::string& name, int section, std::string_view summary) {
  return fmt::format(
      ".\\\" Made by kith man from what kith's help is made of.\n"
      ".TH {} {} \"\" \"Kith {}\" \"Kith\"\n.SH NAME\n{} \\- {}\n",
      upper(plain(name)), section, KITH_VERSION, plain(name), plain(summary));
}

/// `note` is a comment behind the command.
std::string example_block(const std::vector<std::string>& examples) {
  std::string out = ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : examples) out += plain(example) + "\n";
  return out + ".fi\n";
}

std::string exit_status() {
  return ".SH EXIT STATUS\n"
         "0: done. 2: the input is wrong; the message names the option, or the file and its line, "
         "what was expected and what was found. 3: the environment lacks something. 1: a bug of "
         "Kith.\n";
}

std::string see_also(const std::string& self) {
  std::string out = ".SH SEE ALSO\n";
  if (self != "kith") out += ".BR kith (1),\n";
  for (const Command& command : commands()) {
    if (!command.is_listed() || self == "kith-" + std::string(command.name)) continue;
    out += fmt::format(".BR kith\\-{} (1),\n", command.name);
  }
  if (self != "kith-environment") out += ".BR kith\\-environment (7),\n";
  return out + ".BR mpirun (1)\n";
}

ManPage page_of(const Command& command) {
  const CommandDescription description = describe(command);
  ManPage page{"kith-" + description.name, 1, {}};
  page.text = title(page.name, page.section, lower_first(description.summary));
  const std::string usage = description.usage();
  page.text += fmt::format(".SH SYNOPSIS\n{}\n", plain(usage));
  page.text += fmt::format(".SH DESCRIPTION\n{}\n", plain(description.purpose));
  if (!description.notes.empty()) page.text += ".PP\n";
  for (const std::string& note : description.notes) page.text += plain(note) + "\n";
  if (!description.arguments.empty()) {
    page.text += ".SH ARGUMENTS\n" + man_entries(description.arguments);
  }
  page.text += ".SH OPTIONS\n";
  for (const OptionGroup& group : description.groups) {
    if (description.groups.size() > 1) page.text += fmt::format(".SS {}\n", plain(group.name));
    page.text += man_entries(group.options);
  }
  page.text += example_block(description.examples);
  page.text += exit_status() + see_also(page.name);
  return page;
}

ManPage overview_page() {
  ManPage page{"kith", 1, {}};
  page.text =
      title(page.name, page.section, "put MPI ranks that talk to each other near each other");
  page.text +=
      ".SH SYNOPSIS\nkith \\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
      "Kith records which rank of an MPI program sends how much to which other one, computes where "
      "on the machine each rank should run, and has the program run in that order, without a "
      "change "
      "to the program.\n.SH SUBCOMMANDS\n";
  for (const Command& command : commands()) {
    if (!command.is_listed()) continue;
    page.text += fmt::format(".TP\n.BR kith\\-{} (1)\n{}\n", command.name, plain(command.summary));
  }
  page.text +=
      ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint the subcommands, or with a "
      "subcommand "
      "its own help.\n.TP\n\\fB\\-\\-version\\fR\nPrint the version.\n";
  page.text += example_block(overview_examples());
  page.text += exit_status() + see_also(page.name);
  return page;
}

ManPage environment_page() {
  ManPage page{"kith-environment", 7, {}};
  page.text = title(page.name, page.section, "the variables that Kith goes by in a job");
  page.text +=
      ".SH DESCRIPTION\n"
      "The options of \\fBkith run\\fR become variables of the job's environment; they can be set "
      "without it, too. A bad value is a warning and means the usual one; kith run refuses it "
      "where what was asked for could not be done.\n.SH VARIABLES\n";
  for (const Setting& setting : setting_list()) {
    page.text +=
        fmt::format(".TP\n{}={}\n{} Usual: {}.\n", bold(setting.name), value_text(setting.value),
                    plain(setting.meaning), plain(setting.usual));
  }
  page.text += see_also(page.name);
  return page;
}

/// kith(1), one per subcommand that users type, and kith-environment(7).
std::vector<ManPage> man_pages() {
  std::vector<ManPage> pages{overview_page()};
  for (const Command& command : commands()) {
    if (command.has_pages()) pages.push_back(page_of(command));
  }
  pages.push_back(environment_page());
  return pages;
}

struct ManOptions {
  std::optional<std::string> page;
  std::optional<std::string> folder;
};

/// "map" and "kith-map" are the same page, and without a name it is kith's own.
std::string without_prefix(const std::string& name) {
  constexpr std::string_view prefix = "kith-";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// By man(1), where there is one.
bool show(const std::string& page) {
  if (std::system("command -v man > /dev/null 2>&1") != 0) return false;
  FILE* const reader = ::popen("man -l -", "w");
  if (reader == nullptr) return false;
  std::fwrite(page.data(), 1, page.size(), reader);
  return ::pclose(reader) == 0;
}

/// At a terminal as a page to read, else as its source.
void print_page(const std::string& name) {
  const std::vector<ManPage> pages = man_pages();
  std::vector<std::string> names;
  for (const ManPage& page : pages) names.push_back(without_prefix(page.name));
  const std::string& text = pages[parse_choice(without_prefix(name), "PAGE", names)].text;
  const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
  if (is_terminal && show(text)) return;
  print(text);
  if (is_terminal) tell("this is the page's source, as man(1) is not there or could not show it");
}

void write_pages(const std::filesystem::path& folder) {
  for (const ManPage& page : man_pages()) {
    const std::filesystem::path place = folder / fmt::format("man{}", page.section);
    std::error_code error;
    std::filesystem::create_directories(place, error);
    if (error) throw environment_error("cannot make " + place.string() + ": " + error.message());
    write_file_atomically(place / page.file_name(), page.text);
  }
}

void run_man(const ManOptions& options) {
  if (options.page && options.folder) throw bad_input("--all", "no PAGE with it", *options.page);
  if (options.folder) return write_pages(*options.folder);
  print_page(options.page.value_or("kith"));
}

}  // namespace

std::function<void()> set_up_man(CLI::App& app) {
  const auto options = std::make_shared<ManOptions>();
  app.description(
      "Shows a manual page at a terminal, made from what --help prints; elsewhere it prints the "
      "page's source. Installations bring the pages "
      "along, so that `man kith-map` finds them.");
  app.add_option("PAGE", options->page,
                 "A subcommand, or environment: the KITH_ variables; without it the page of kith "
                 "itself")
      ->type_name("");
  app.add_option("--all", options->folder, "Write all pages into FOLDER/man1 and so on")
      ->type_name("FOLDER");
  app.footer(
      "Examples:\n"
      "  kith man map | man -l -\n"
      "  kith man environment | man -l -\n"
      "  kith man --all man");
  return [options] { run_man(*options); };
}

}  // namespace kith::tools
