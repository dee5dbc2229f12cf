// kith-probe: the MPI program that `kith probe` starts. Prints what report.hpp says.
//
//     kith-probe [--time-limit SECONDS] [--progress]
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <span>
#include <string_view>

#include "core/parse_number.hpp"
#include "kith-probe/conductor.hpp"

namespace {

using kith::probe::Conductor;

Conductor::Settings read_settings(std::span<char*> words) {
  Conductor::Settings settings;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--progress") settings.progress = true;
    if (word == "--time-limit" && i + 1 < words.size()) {
      settings.time_limit = kith::parse_real(words[i + 1]).value_or(settings.time_limit);
    }
  }
  return settings;
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void conduct(const Conductor::Settings& settings, int ranks) {
  print(kith::probe::begin_line(static_cast<std::uint32_t>(ranks)));
  Conductor conductor(kith::probe::survey_hosts(), settings);
  print(kith::probe::report_text(conductor.run()));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    if (rank == 0) {
      conduct(read_settings({argv, static_cast<std::size_t>(argc)}), ranks);
    } else {
      kith::probe::survey_hosts();
      kith::probe::follow();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kith-probe: rank %d: %s\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
