// The table of studies.
#include <vector>

#include "study/study.hpp"

namespace kith::tools {

std::span<const Study> studies() {
  // A new study is a file study/X_study.cpp that defines one of these, and one line here.
  static const std::vector<Study> all{
      choicemap_study, eagermap_study, gsearch_study, optimal_study, topolb_study, topomatch_study,
  };
  return all;
}

}  // namespace kith::tools
