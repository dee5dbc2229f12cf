// The two ways to see what the message layer sends.
#pragma once

#include <string>

#include "record/pml/layout.hpp"

namespace kith::record {

/// Source 1: Open MPI's exported table of message-layer functions.
bool function_table_fits();  ///< by version alone; before MPI_Init
/// Empty when our functions are in the table, else why not. `layout` is kept and must outlive it.
std::string install_function_table(const CommunicatorLayout& layout);
void remove_function_table();

/// Source 2: the recording function of Open MPI's monitoring component.
bool monitoring_fits();             ///< by version alone; before MPI_Init
void ask_for_monitoring();          ///< before MPI_Init
void stop_asking_for_monitoring();  ///< after it: not for the jobs that this one starts
/// Empty when the component calls us, else why not.
std::string install_monitoring_call();
void remove_monitoring_call();

}  // namespace kith::record
