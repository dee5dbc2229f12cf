// kith algorithms: what --algorithm takes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "io/format/json_text.hpp"
#include "kith/mapper.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

void list_as_json() {
  JsonText json;
  json.begin_array();
  for (const Mapper* const mapper : mappers()) {
    json.begin_object();
    json.key("name").value(mapper->name());
    json.key("summary").value(mapper->summary());
    json.key("source").value(mapper->source());
    json.key("uses").begin_array();
    for (const ExtraInput input : extra_inputs) {
      if (mapper->uses(input)) json.value(to_string(input));
    }
    json.end_array();
    json.key("settings").begin_array();
    for (const MapperSetting& setting : mapper->settings()) {
      json.begin_object();
      json.key("name").value(setting.name);
      json.key("usual").value(setting.usual);
      json.key("meaning").value(setting.meaning);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  print(json.text());
}

void list_as_text() {
  std::string text;
  for (const Mapper* const mapper : mappers()) {
    text += fmt::format("{:<14} {}\n{:<14} {}\n", mapper->name(), mapper->summary(), "",
                        mapper->source());
    for (const ExtraInput input : extra_inputs) {
      if (mapper->uses(input)) text += fmt::format("{:<14}   uses --{}\n", "", to_string(input));
    }
    for (const MapperSetting& setting : mapper->settings()) {
      text += fmt::format("{:<14}   --set {}={}: {}\n", "", setting.name, setting.usual,
                          setting.meaning);
    }
  }
  text += "\n+refine after any name adds the swap refinement: eagermap+refine\n";
  print(text);
}

}  // namespace

std::function<void()> set_up_algorithms(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.description(
      "Lists the mapping algorithms that `kith map --algorithm` takes, what each does, where it "
      "is published, which settings it has.");
  app.add_flag("--json", *json, "An array of {name, summary, source, uses, settings}");
  app.footer(
      "Examples:\n"
      "  kith algorithms\n"
      "  kith algorithms --json");
  return [json] { *json ? list_as_json() : list_as_text(); };
}

}  // namespace kith::tools
