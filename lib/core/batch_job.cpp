#include "core/batch_job.hpp"

#include <cstdlib>

namespace kith {
namespace {

struct BatchSystem {
  const char* name;
  const char* variable;   ///< holds the job's number
  const char* also = "";  ///< set, too: where others use the variable's name for something else
};

constexpr BatchSystem batch_systems[] = {
    {"slurm", "SLURM_JOB_ID"},    {"pbs", "PBS_JOBID"},
    {"lsf", "LSB_JOBID"},         {"flux", "FLUX_JOB_ID"},
    {"pjm", "PJM_JOBID"},         {"cobalt", "COBALT_JOBID"},
    {"oar", "OAR_JOB_ID"},        {"gridengine", "JOB_ID", "SGE_ROOT"},
    {"htcondor", "CONDOR_JOBID"},
};

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

const BatchSystem* batch_system() {
  for (const BatchSystem& system : batch_systems) {
    if (is_set(system.variable) && (*system.also == '\0' || is_set(system.also))) return &system;
  }
  return nullptr;
}

}  // namespace

std::string batch_job_id() {
  const BatchSystem* const system = batch_system();
  return system == nullptr ? "" : std::string(system->name) + " " + batch_job_number();
}

std::string batch_job_number() {
  const BatchSystem* const system = batch_system();
  return system == nullptr ? "" : std::getenv(system->variable);
}

}  // namespace kith
