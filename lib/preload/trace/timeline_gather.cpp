#include "trace/timeline_gather.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "record/record.hpp"
#include "timeline/host_file.hpp"
#include "timeline/packed_rank.hpp"

namespace kith::preload {
namespace {

using Share = TraceMetaText::TimelineShare;

// What a leader sends that lacks memory for its host's file.
const std::string missing;

std::int32_t number_in(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? 0 : static_cast<std::int32_t>(found - names.begin()) + 1;
}

/// From this rank's numbers of phases to those of the job's files, which count from 1.
void number_phases(timeline::RankTimeline& own, const std::vector<std::string>& own_phases,
                   const std::vector<std::string>& phases) {
  for (timeline::ThreadStream& thread : own.threads) {
    for (timeline::Event& event : thread.program.events) {
      if (event.op != timeline::Op::phase) continue;
      const auto at = static_cast<std::size_t>(event.tag);
      event.tag = at < own_phases.size() ? number_in(phases, own_phases[at]) : 0;
    }
  }
}

void add_to(Share& sum, const Share& more) {
  sum.ranks += more.ranks;
  sum.events += more.events;
  sum.covered_events += more.covered_events;
  sum.bytes += more.bytes;
  sum.covered_bytes += more.covered_bytes;
}

Share share_of(const timeline::RankTimeline& own) {
  Share share;
  share.ranks = 1;
  for (const timeline::ThreadStream& thread : own.threads) {
    share.events += thread.events;
    share.bytes += thread.bytes;
    share.covered_events += thread.events;
    share.covered_bytes += thread.bytes;
    for (const timeline::Omission& omission : thread.omissions) {
      share.covered_events -= omission.events;
      share.covered_bytes -= omission.bytes;
    }
  }
  return share;
}

/// The file of a host, and what it covers, in front.
std::string host_message(std::vector<std::optional<std::string>> parts) {
  try {
    timeline::HostFile file;
    Share sum;
    for (std::optional<std::string>& part : parts) {
      if (!part || part->size() < sizeof(Share)) continue;
      const Share share = Unpacker(*part).get<Share>();
      file.add(std::string_view(*part).substr(sizeof(Share)));
      add_to(sum, share);
      part.reset();
    }
    if (sum.ranks == 0) return missing;
    Packer packer;
    packer.put(sum);
    packer.put_bytes(file.take());
    return packer.take();
  } catch (const std::exception&) {
    return missing;
  }
}

}  // namespace

std::string packed_timeline(const RunTimes& times, const std::vector<std::string>& own_phases,
                            const std::vector<std::string>& phases) {
  try {
    timeline::RankTimeline own = record::timeline_so_far();
    if (own.threads.empty()) return missing;
    own.rank = times.rank;
    own.init_seconds = times.began;
    own.run_seconds = times.seconds;
    own.computing_seconds = times.computing;
    number_phases(own, own_phases, phases);
    Packer packer;
    packer.put(share_of(own));
    packer.put_bytes(timeline::pack_rank(own));
    return packer.take();
  } catch (const std::exception&) {
    return missing;
  }
}

void gather_timelines(PrivateComm& private_comm, std::string packed, FileSet* files,
                      Share* covered) {
  const bool leads = private_comm.leads_host();
  auto parts = private_comm.gather_on_host(std::move(packed));
  if (!leads) return;
  std::string own = host_message(std::move(parts));
  if (!private_comm.is_root()) {
    private_comm.send_to_root(own);
    return;
  }
  if (files->ok()) files->make_directory(trace_names::timeline_directory);
  for (int leader = 0; leader < private_comm.hosts(); ++leader) {
    const std::string message =
        leader == 0 ? std::move(own) : private_comm.receive_from_leader(leader).value_or(missing);
    if (message.size() < sizeof(Share) || !files->ok()) continue;
    add_to(*covered, Unpacker(message).get<Share>());
    files->text(trace_names::host_timeline(static_cast<std::uint32_t>(leader)),
                std::string_view(message).substr(sizeof(Share)));
  }
}

}  // namespace kith::preload
