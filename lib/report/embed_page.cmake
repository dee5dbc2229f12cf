# Writes page_files.cpp: the files of the page as arrays of bytes.
#   cmake -DTEMPLATE=FILE "-DSTYLES=FILE|FILE" "-DSCRIPTS=FILE|FILE" -DOUTPUT=FILE -P embed_page.cmake
string(REPLACE "|" ";" STYLES "${STYLES}")
string(REPLACE "|" ";" SCRIPTS "${SCRIPTS}")

# A C++ function `name` that returns the files one after another.
function(add_text name)
  set(all "")
  foreach(file ${ARGN})
    file(READ "${file}" hex HEX)
    string(APPEND all "${hex}")
  endforeach()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${all}")
  # Lines of 24 bytes.
  string(REGEX REPLACE "(........................................................................................................................)"
    "\\1\n" bytes "${bytes}")
  set(text "${text}
static constexpr unsigned char ${name}_bytes[] = {
${bytes}0};
std::string_view ${name}() {
  return {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes - 1};
}
" PARENT_SCOPE)
endfunction()

set(text "// Made by embed_page.cmake.\n#include \"report/page.hpp\"\n\nnamespace kith {\n")
add_text(page_template "${TEMPLATE}")
add_text(page_style ${STYLES})
add_text(page_script ${SCRIPTS})
file(WRITE "${OUTPUT}" "${text}\n}  // namespace kith\n")
