# What Debian wants of every package, put among the staged files just before they are packed.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
set(documents "${root}/share/doc/${CPACK_PACKAGE_NAME}")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH, where set
file(WRITE "${documents}/changelog"
  "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=low\n\n"
  "  * Built from Kith ${CPACK_PACKAGE_VERSION}.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")

# One package with program, library and headers, as `lib/libkith.so` is what users preload.
file(WRITE "${root}/share/lintian/overrides/${CPACK_PACKAGE_NAME}"
  "${CPACK_PACKAGE_NAME}: link-to-shared-library-in-wrong-package *\n"
  "${CPACK_PACKAGE_NAME}: lacks-unversioned-link-to-shared-library *\n"
  "${CPACK_PACKAGE_NAME}: package-name-doesnt-match-sonames *\n"
  "${CPACK_PACKAGE_NAME}: maintscript-calls-ldconfig *\n"  # CPack calls it beside the trigger
  "${CPACK_PACKAGE_NAME}: initial-upload-closes-no-bugs *\n")

# Debian's python3 looks for packages in a folder without its version.
file(GLOB python_packages "${root}/lib/python3.*/site-packages/kith")
if(python_packages)
  file(MAKE_DIRECTORY "${root}/lib/python3/dist-packages")
  file(RENAME "${python_packages}" "${root}/lib/python3/dist-packages/kith")
  file(GLOB emptied "${root}/lib/python3.*")
  file(REMOVE_RECURSE ${emptied})
endif()

# Debian's zsh looks elsewhere for what packages bring.
if(EXISTS "${root}/share/zsh/site-functions")
  file(RENAME "${root}/share/zsh/site-functions" "${root}/share/zsh/vendor-completions")
endif()

file(GLOB manuals "${root}/share/man/man*/*.[1-9]")
execute_process(COMMAND gzip -9nf "${documents}/changelog" ${manuals} COMMAND_ERROR_IS_FATAL ANY)
