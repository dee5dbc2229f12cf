// The readers behind parse_machine(), one file each.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kith/machine.hpp"

namespace kith {

/// What a reader gets of a SPEC.
struct SpecRequest {
  std::string spec;       ///< the whole, without suffixes that only filter: "tree:4x2@10,1"
  std::string_view body;  ///< what follows the prefix: "4x2@10,1"; a view into the SPEC
  std::string option;     ///< names the culprit in errors
  const JobDescription* job = nullptr;
  Granularity granularity = Granularity::core;
  std::string_view node_tree = {};  ///< of ;tree=2x8: "2x8"; a view into the SPEC
  std::string network = {};         ///< of ;network=FILE
};

/// A SPEC cut into its source and its suffixes; put together again it is the SPEC.
struct SpecPart {
  std::string_view key;    ///< "hosts:", ";slots="; the whole of "this"
  std::string_view value;  ///< a view into the SPEC
  bool is_file = false;    ///< the value names a file
};
std::vector<SpecPart> parts_of(std::string_view spec);

/// Whether the body of an hwloc: SPEC names a file; else it is a synthetic description.
inline bool names_file(std::string_view hwloc_body) {
  return hwloc_body.find('/') != std::string_view::npos || hwloc_body.ends_with(".xml");
}

/// Whether the body of a scotch: SPEC names a file; else it is the target itself.
bool names_scotch_file(std::string_view body);

/// All throw Error (input) for a body that they do not understand. source/X_source.cpp each.
std::unique_ptr<Machine> read_tree(const SpecRequest& request);
std::unique_ptr<Machine> read_torus(const SpecRequest& request);
std::unique_ptr<Machine> read_mesh(const SpecRequest& request);
std::unique_ptr<Machine> read_hypercube(const SpecRequest& request);
std::unique_ptr<Machine> read_fattree(const SpecRequest& request);
std::unique_ptr<Machine> read_dragonfly(const SpecRequest& request);
std::unique_ptr<Machine> read_matrix(const SpecRequest& request);
std::unique_ptr<Machine> read_hwloc(const SpecRequest& request);
std::unique_ptr<Machine> read_scotch(const SpecRequest& request);
std::unique_ptr<Machine> read_hosts(const SpecRequest& request);
std::unique_ptr<Machine> read_slurm(const SpecRequest& request);
std::unique_ptr<Machine> read_simgrid(const SpecRequest& request);
std::unique_ptr<Machine> read_this(const SpecRequest& request);
std::unique_ptr<Machine> read_job(const SpecRequest& request);

}  // namespace kith
