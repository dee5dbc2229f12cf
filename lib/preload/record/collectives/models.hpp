// The models that Kith has.
#pragma once

#include "record/collectives/model.hpp"
#include "record/collectives/openmpi/decisions.hpp"

namespace kith::record::openmpi {

/// Blocking collectives of one group, as Open MPI 4.1 sends them: its "tuned" component, and
/// "basic" for what that leaves out.
class Tuned final : public IntraModel {
 public:
  /// Refers to the settings.
  constexpr explicit Tuned(const Settings& settings) : settings_(settings) {}
  void messages(Collective collective, const Place& place, const Arguments& arguments,
                Send send) const override;

 private:
  const Settings& settings_;
};

/// Nonblocking and persistent collectives of one group, as Open MPI 4.1 sends them: its "libnbc"
/// component. It has decisions and algorithms of its own.
class Libnbc final : public IntraModel {
 public:
  /// Refers to the settings.
  constexpr explicit Libnbc(const Settings& settings) : settings_(settings) {}
  void messages(Collective collective, const Place& place, const Arguments& arguments,
                Send send) const override;

 private:
  const Settings& settings_;
};

/// Blocking collectives between two groups, as Open MPI 4.1 sends them: its "inter" component,
/// which composes them of collectives within a group and messages between the first ranks, and
/// "basic" for what that leaves out. What the others of the group contribute or receive in gatherv,
/// allgatherv and scatterv is unknown without asking them: taken to be as much as the calling rank
/// does.
class Inter final : public InterModel {
 public:
  /// Refers to what is used within a group.
  constexpr explicit Inter(const IntraModel& within) : within_(within) {}
  void messages(Collective collective, const InterPlace& place, const Arguments& arguments,
                InterSend send) const override;

 private:
  const IntraModel& within_;
};

/// Nonblocking and persistent collectives between two groups: "libnbc".
class LibnbcInter final : public InterModel {
 public:
  void messages(Collective collective, const InterPlace& place, const Arguments& arguments,
                InterSend send) const override;
};

}  // namespace kith::record::openmpi

namespace kith::record {

/// Collectives of one group as MPICH and its descendants send them, by their default thresholds
/// (MPIR_CVAR_*). Sources: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication
/// Operations in MPICH" (2005), and the defaults of MPICH 4.0. Flat algorithms only: those that
/// treat the ranks of a host first, and shared memory, are not modelled.
class Mpich final : public IntraModel {
 public:
  enum class Calls : std::uint8_t { blocking, nonblocking };
  /// They differ in what is a short allreduce.
  constexpr explicit Mpich(Calls calls) : calls_(calls) {}
  void messages(Collective collective, const Place& place, const Arguments& arguments,
                Send send) const override;

 private:
  Calls calls_;
};

/// Collectives between two groups as MPICH sends them, blocking or not: mostly composed of those
/// within a group and messages between the first ranks. What the others of the group receive in
/// allgatherv is taken to be as much as the calling rank does.
class MpichInter final : public InterModel {
 public:
  /// Refers to what is used within a group.
  constexpr explicit MpichInter(const IntraModel& within) : within_(within) {}
  void messages(Collective collective, const InterPlace& place, const Arguments& arguments,
                InterSend send) const override;

 private:
  const IntraModel& within_;
};

}  // namespace kith::record
