#include "order/topology/members.hpp"

#include "job/job_discovery.hpp"
#include "mpi/world.hpp"
#include "order/job_state.hpp"

namespace kith::runtime {
namespace {

/// Discovered once, by everybody, whatever comes of it. processes[j] is launcher rank j.
const std::optional<JobDescription>& job_of_world(JobState& state) {
  if (!state.is_job_known) {
    state.is_job_known = true;
    state.job = discover_job(*state.private_comm, state.program_rank, state.settings);
  }
  return state.job;
}

JobDescription in_program_order(JobDescription job) {
  std::vector<JobProcess> by_rank(job.processes.size());
  for (JobProcess& process : job.processes) by_rank.at(process.rank) = std::move(process);
  job.processes = std::move(by_rank);
  return job;
}

}  // namespace

Members::Members(MPI_Comm comm, OrderRequest& request)
    : private_comm_(job_state().private_comm.get()) {
  JobState& state = job_state();
  const bool are_world = comm == mpi::program_world();
  if (are_world && private_comm_ == nullptr) {
    state.private_comm = std::make_unique<PrivateComm>(MPI_COMM_WORLD);
    private_comm_ = state.private_comm.get();
  } else if (!are_world) {
    own_comm_ = std::make_unique<PrivateComm>(comm);
    private_comm_ = own_comm_.get();
  }
  prepare(request, [&] {
    if (!are_world) {
      job_ = discover_job(*private_comm_, private_comm_->rank(), request.settings);
    } else if (const auto& job = job_of_world(state)) {
      job_ = in_program_order(*job);
    }
  });
  if (job_) request.job = &*job_;
}

}  // namespace kith::runtime
