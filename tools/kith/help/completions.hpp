// What may stand at the end of a command line: for the completion of shells.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kith::tools {

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

/// `words` is the command line without "kith"; the last word is the one to be completed, maybe
/// empty. Only candidates that begin as it does.
Completions complete(std::span<const std::string> words);

}  // namespace kith::tools
