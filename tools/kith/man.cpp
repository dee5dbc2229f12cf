// kith man: its manual pages.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "help/man_pages.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

struct ManOptions {
  std::optional<std::string> page;
  std::optional<std::string> folder;
};

/// "map" and "kith-map" are the same page, and without a name it is kith's own.
std::string without_prefix(const std::string& name) {
  constexpr std::string_view prefix = "kith-";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

void print_page(const std::string& name) {
  const std::vector<ManPage> pages = man_pages();
  std::vector<std::string> names;
  for (const ManPage& page : pages) names.push_back(without_prefix(page.name));
  print(pages[parse_choice(without_prefix(name), "PAGE", names)].text);
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
      "Prints a manual page for `man`, made from what --help prints. Installations bring the pages "
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
