// Preloaded into SimGrid: prints at the end what each link carried, "link NAME BYTES".
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace simgrid::kernel::resource {
/// The front of SimGrid 3.32's class, whose header is not installed.
class NetworkAction : public Action {
 public:
  NetworkAction() = delete;
  s4u::Host* source;  // references there
  s4u::Host* destination;
};
}  // namespace simgrid::kernel::resource

namespace {

using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::NetworkAction;

struct Counter {
  std::map<std::string, double> bytes;

  Counter() {
    simgrid::s4u::Link::on_communication_state_change_cb(
        [this](NetworkAction& action, Action::State) {
          if (action.get_state() != Action::State::FINISHED) return;
          if (action.source == action.destination) return;
          std::vector<simgrid::s4u::Link*> links;
          double latency = 0;
          action.source->route_to(action.destination, links, &latency);
          for (const auto* link : links) bytes[link->get_name()] += action.get_cost();
        });
  }
  ~Counter() {
    for (const auto& [link, all] : bytes) std::printf("link %s %.0f\n", link.c_str(), all);
  }
};

Counter counter;

}  // namespace
