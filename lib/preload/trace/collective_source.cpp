#include "trace/collective_source.hpp"

#include "core/log.hpp"
#include "record/pml/exact.hpp"

namespace kith::runtime {
namespace {

bool may_be_exact(CollectiveSource wanted) {
  return wanted == CollectiveSource::best || wanted == CollectiveSource::exact;
}

std::string first_reason(PrivateComm& private_comm, const std::string& own) {
  for (const std::string& reason : private_comm.gather(own)) {
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace

void prepare_collective_source(const Settings& settings) {
  if (may_be_exact(settings.collectives)) record::prepare_exact(settings.exact_by_monitoring);
}

record::Collectives agree_on_collectives(PrivateComm& private_comm, CollectiveSource wanted) {
  if (wanted == CollectiveSource::off) return record::Collectives::off;
  if (!may_be_exact(wanted)) return record::Collectives::model;
  const std::string problem = record::install_exact();
  if (private_comm.all_agree(problem.empty())) return record::Collectives::exact;
  if (problem.empty()) record::remove_exact();
  const std::string reason = first_reason(private_comm, problem);
  if (private_comm.is_root() && wanted == CollectiveSource::exact) {
    log_line("collectives are modelled, not counted exactly: " + reason);
  }
  return record::Collectives::model;
}

std::string collective_source_used(PrivateComm& private_comm, record::Collectives collectives) {
  switch (collectives) {
    case record::Collectives::off:
      return "off";
    case record::Collectives::model:
      return "model";
    case record::Collectives::exact:
      return private_comm.all_agree(!record::some_not_exact()) ? "exact" : "mixed";
  }
  return "off";
}

}  // namespace kith::runtime
