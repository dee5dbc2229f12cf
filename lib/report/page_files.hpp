// The files of page/ as they were when the program was built; see embed_page.cmake.
#pragma once

#include <string_view>

namespace kith {

std::string_view page_template();
std::string_view page_style();
std::string_view page_script();

}  // namespace kith
