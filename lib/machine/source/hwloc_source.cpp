// hwloc:FILE, hwloc:SYNTHETIC and this
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/source/host_slots.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

std::unique_ptr<Machine> machine_from(hwloc_topology* topology, const SpecRequest& request,
                                      std::string kind) {
  return host_slots(topology, request.granularity, request.spec, std::move(kind), request.option)
      .machine;
}

}  // namespace

std::unique_ptr<Machine> read_hwloc(const SpecRequest& request) {
  const std::string body(request.body);
  const std::string where = request.option + ": " + body;
  const auto topology = names_file(body)
                            ? load_xml(read_text_file(body, max_xml_bytes, request.option), where)
                            : load_synthetic(body, request.option);
  return machine_from(topology.get(), request, "hwloc");
}

std::unique_ptr<Machine> read_this(const SpecRequest& request) {
  return machine_from(load_this_system().get(), request, "this");
}

}  // namespace kith
