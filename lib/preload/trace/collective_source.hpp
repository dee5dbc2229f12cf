// Who tells the messages inside collectives in this job.
#pragma once

#include <string>

#include "comm/private_comm.hpp"
#include "protocol/settings.hpp"
#include "record/record.hpp"

namespace kith::runtime {

/// Before MPI_Init: what has to be in place by then.
void prepare_collective_source(const Settings& settings);

/// Collective over `private_comm`: exact needs every rank, else the model serves all.
/// `wanted` is the root's, the same everywhere. Where exact was asked for by name and cannot be
/// had, the root says why.
record::Collectives agree_on_collectives(PrivateComm& private_comm, CollectiveSource wanted);

/// Collective: "exact", "model", "off", or "mixed" where some communicators were exact and some
/// modelled. What the trace says.
std::string collective_source_used(PrivateComm& private_comm, record::Collectives collectives);

}  // namespace kith::runtime
