// routes PLATFORM.xml HOST...: the number of hosts, then the links between each two of the named.
#include <simgrid/s4u.hpp>

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  engine.seal_platform();
  std::cout << engine.get_host_count() << std::endl;
  for (int a = 2; a < argc; ++a) {
    for (int b = 2; b < argc; ++b) {
      if (a == b) continue;
      std::vector<simgrid::s4u::Link*> links;
      double latency = 0;
      engine.host_by_name(argv[a])->route_to(engine.host_by_name(argv[b]), links, &latency);
      std::cout << argv[a] << ' ' << argv[b] << ' ' << links.size() << ' ' << latency << std::endl;
    }
  }
}
