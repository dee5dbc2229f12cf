#include "threads/binding_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/did_you_mean.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "kith/mapper.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/source/host_slots.hpp"
#include "threads/cpu_share.hpp"

namespace kith::threads {
namespace {

constexpr const char* option = "KITH_BIND";

HostSlots slots_of(hwloc_topology* topology, Granularity granularity) {
  return host_slots(topology, granularity, "this", "this", option);
}

/// The slots that have CPUs among `own`. Throws Error (environment) where none has.
SlotSet usable_slots(const HostSlots& host, const CpuSet& own) {
  std::vector<Slot> slots;
  for (std::uint32_t slot = 0; slot < host.cpus.size(); ++slot) {
    if (!intersected(host.cpus[slot], own).empty()) slots.emplace_back(slot);
  }
  if (slots.empty())
    throw environment_error("hwloc knows none of the CPUs that this process may use");
  return SlotSet::of(std::move(slots));
}

/// "./compact" is a file, "compact" is not.
bool names_a_file(const std::string& policy) {
  if (std::ranges::find(binding_policies, policy, &BindingPolicy::name) !=
      std::end(binding_policies)) {
    return false;
  }
  return policy.find('/') != std::string::npos || policy.find('.') != std::string::npos ||
         std::filesystem::is_regular_file(policy);
}

Mapping mapping_by_file(const std::string& path, const SlotSet& usable, std::uint64_t slots) {
  const MappingFile file = read_mapping(path);
  for (const Slot slot : file.mapping.slot_of) {
    if (slot.value >= slots) {
      throw bad_input(path, fmt::format("slots 0 to {} of this host", slots - 1),
                      fmt::format("{}", slot.value));
    }
    if (!usable.contains(slot)) {
      throw bad_input(path, "slots that this process may use", fmt::format("{}", slot.value));
    }
  }
  return file.mapping;
}

/// Of a matrix that is not of as many threads as will run: who it is about.
std::string matrix_note(const BindingOptions& options, const Mapping& mapping) {
  if (options.threads == 0 || mapping.ranks() == options.threads) return {};
  return fmt::format(" (by a matrix of {} threads, while {} are expected to run)", mapping.ranks(),
                     options.threads);
}

/// Of a process that has one place: held there by the launcher, or beside others.
std::string room_note(const BindingOptions& options, const SlotSet& usable) {
  if (options.threads < 2 || usable.size() != 1) return {};
  return fmt::format(
      " (all {} on the one {} that this process has: the launcher binds it there, or the other "
      "ranks of the host have the others)",
      options.threads, options.granularity == Granularity::core ? "core" : "processing unit");
}

/// `is_empty`: set where the matrix has nothing to go by.
Mapping mapping_by_algorithm(const BindingOptions& request, const Machine& machine,
                             bool& is_empty) {
  const BindingPolicy& policy = find_binding_policy(request.policy, option);
  std::optional<TrafficMatrix> matrix;
  if (policy.needs_matrix) {
    if (request.matrix.empty()) {
      throw bad_input(option,
                      fmt::format("a matrix of threads for {} (KITH_BIND_MATRIX)", policy.name),
                      "none");
    }
    matrix = read_matrix(request.matrix);
    is_empty = matrix->total(false) == 0;
  }
  const std::uint64_t places = machine.allowed().size();
  const std::uint32_t threads = matrix                ? matrix->ranks()
                                : request.threads > 0 ? request.threads
                                                      : static_cast<std::uint32_t>(places);
  if (!matrix) matrix = TrafficMatrixBuilder(threads).build();
  const TrafficGraph graph = TrafficGraph::from(*matrix);
  MapOptions options;
  options.objective = default_objective(machine);
  options.effort = Effort::fast;
  options.capacity = static_cast<std::uint32_t>((threads + places - 1) / places);
  return map_ranks(find_algorithm(policy.name), {graph, machine, options, &*matrix}).mapping;
}

}  // namespace

const BindingPolicy& find_binding_policy(std::string_view name, std::string_view where) {
  const auto* const found = std::ranges::find(binding_policies, name, &BindingPolicy::name);
  if (found != std::end(binding_policies)) return *found;
  std::vector<std::string> names;
  for (const BindingPolicy& policy : binding_policies) names.emplace_back(policy.name);
  throw bad_input(where, fmt::format("{} or a mapping file", fmt::join(names, ", ")),
                  fmt::format("\"{}\"", name) + did_you_mean(name, names));
}

BindingPlan plan_binding(const BindingOptions& options, const JobHardware& hardware) {
  if (hardware.xml.empty()) throw environment_error("the hardware of this host is not known");
  const HwlocTopology topology = hardware.origin.empty()
                                     ? load_own_xml(hardware.xml, "hardware " + hardware.digest)
                                     : load_xml(hardware.xml, hardware.origin);
  HostSlots host = slots_of(topology.get(), options.granularity);
  const CpuSet own = options.processes <= 1
                         ? options.cpus
                         : share_of(options.cpus, options.position, options.processes,
                                    slots_of(topology.get(), Granularity::core).cpus,
                                    slots_of(topology.get(), Granularity::pu).cpus);
  const SlotSet usable = usable_slots(host, own);

  BindingPlan plan;
  Mapping mapping;
  if (names_a_file(options.policy)) {
    mapping = mapping_by_file(options.policy, usable, host.machine->slots());
    plan.policy = "the mapping " + options.policy;
  } else {
    bool is_empty = false;
    mapping = mapping_by_algorithm(options, *host.machine->restricted_to(usable), is_empty);
    plan.policy = options.policy + matrix_note(options, mapping) + room_note(options, usable) +
                  (is_empty ? " (by a matrix in which no two threads share anything)" : "");
  }
  std::vector<bool> taken(host.cpus.size());
  const auto take = [&](Slot slot) {
    taken[slot.value] = true;
    plan.cpus.push_back(intersected(host.cpus[slot.value], own));
  };
  for (const Slot slot : mapping.slot_of) take(slot);
  for (const Slot slot : usable.to_vector()) {
    if (!taken[slot.value]) take(slot);
  }
  return plan;
}

}  // namespace kith::threads
