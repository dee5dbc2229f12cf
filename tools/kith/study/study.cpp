// kith study: what the papers report, beside what Kith finds.
#include "study/study.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "command.hpp"
#include "io/format/json_text.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace kith::tools {
namespace {

struct StudyCommand {
  const Study* study = nullptr;  ///< null: all are listed
  StudyOptions options;
  bool json = false;
};

Choices<const Study*> study_names() {
  Choices<const Study*> names;
  for (const Study& study : studies()) names.emplace_back(study.name, &study);
  return names;
}

std::string list_text() {
  std::string text;
  for (const Study& study : studies()) {
    text += fmt::format("{:<20} {}\n{:<20} {}\n", study.name, study.summary, "", study.source);
  }
  return text;
}

std::string list_json() {
  JsonText json;
  json.begin_array();
  for (const Study& study : studies()) {
    json.begin_object();
    json.key("name").value(study.name);
    json.key("summary").value(study.summary);
    json.key("source").value(study.source);
    json.end_object();
  }
  json.end_array();
  return json.take();
}

std::string report_text(const Study& study, const StudyReport& report) {
  std::size_t what = 4;
  std::size_t paper = 5;
  for (const StudyReport::Row& row : report.rows()) {
    if (row.ours.empty()) continue;
    what = std::max(what, row.what.size());
    paper = std::max(paper, row.paper.size());
  }
  std::string text = fmt::format("{}: {}\n{}\n\n{:<{}}  {:>{}}  ours\n", study.name, study.summary,
                                 study.source, "", what, "paper", paper);
  for (const StudyReport::Row& row : report.rows()) {
    text += row.ours.empty()
                ? fmt::format("\n{}\n", row.what)
                : fmt::format("{:<{}}  {:>{}}  {}\n", row.what, what, row.paper, paper, row.ours);
  }
  if (!report.notes().empty()) text += '\n';
  for (const std::string& note : report.notes()) text += note + '\n';
  return text;
}

std::string report_json(const Study& study, const StudyReport& report) {
  JsonText json;
  json.begin_object();
  json.key("study").value(study.name);
  json.key("source").value(study.source);
  json.key("rows").begin_array();
  std::string_view section;
  for (const StudyReport::Row& row : report.rows()) {
    if (row.ours.empty()) {
      section = row.what;
      continue;
    }
    json.begin_object();
    json.key("section").value(section);
    json.key("what").value(row.what);
    json.key("paper").value(row.paper);
    json.key("ours").value(row.ours);
    json.end_object();
  }
  json.end_array();
  json.key("notes").begin_array();
  for (const std::string& note : report.notes()) json.value(note);
  json.end_array();
  json.end_object();
  return json.take();
}

void run_study(const StudyCommand& command) {
  if (command.study == nullptr) {
    print(command.json ? list_json() : list_text());
    return;
  }
  const Study& study = *command.study;
  Progress progress(fmt::format("study {}", study.name));
  StudyReport report([&](std::string_view what) {
    progress.show(fmt::format("study {}, after {}", study.name, what));
  });
  study.run(command.options, report);
  progress.clear();
  print(command.json ? report_json(study, report) : report_text(study, report));
}

}  // namespace

std::span<const Study> studies() {
  // A new study is a file study/X_study.cpp that defines one of these, and one line here.
  static const std::vector<Study> all{
      bindme_study,  choicemap_study, eagermap_study,       gsearch_study,
      optimal_study, topolb_study,    topolb_network_study, topomatch_study,
  };
  return all;
}

std::function<void()> set_up_study(CLI::App& app) {
  const auto command = std::make_shared<StudyCommand>();
  app.description(
      "Works out again what the papers on mapping report, and puts Kith's numbers beside "
      "theirs.");
  add_choice(app, "NAME", command->study, study_names(), "Which one; without it all are listed");
  app.add_flag("--full", command->options.full, "The paper's whole range: minutes to hours");
  add_number(app, "--seed", command->options.seed, "Seed of whatever is random (default 1)")
      ->type_name("N");
  app.add_flag("--json", command->json,
               "One object: study, source, rows, notes; without NAME an array of {name, summary, "
               "source}");
  app.footer(
      "Examples:\n"
      "  kith study                                    # lists them\n"
      "  kith study topolb\n"
      "  kith study optimal --seed 7 --json");
  return [command] { run_study(*command); };
}

}  // namespace kith::tools
