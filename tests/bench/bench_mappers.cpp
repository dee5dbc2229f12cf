// Time, memory and quality of the mappers: see README.md here.
#include <cstdio>

#include "kith/error.hpp"
#include "mapper_tables/tables.hpp"

int main(int count, char** words) {
  using namespace kith::bench;
  struct Table {
    const char* name;
    const char* title;
    void (*print)(const Options&);
  };
  constexpr Table tables[] = {
      {"reference", "Instances that others were measured on", print_reference_table},
      {"own", "Instances of Kith's own making", print_own_table},
      {"scaling", "Time, memory and quality by size", print_scaling_table},
      {"stencils", "Each mapper on 3D stencils", print_stencil_table},
      {"links", "The busiest link", print_links_table},
      {"structures", "Where the answer lies in the structure", print_structures_table},
  };
  try {
    const Options options = parse_options(count, words);
    for (const Table& table : tables) {
      if (options.table != "all" && options.table != table.name) continue;
      if (options.table == "all") std::printf("\n## %s\n\n", table.title);
      table.print(options);
    }
  } catch (const kith::Error& error) {
    std::fprintf(stderr, "bench_mappers: %s\n", error.what());
    return static_cast<int>(error.kind());
  }
  return 0;
}
