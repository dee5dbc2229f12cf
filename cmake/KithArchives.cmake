# The archives that Kith's dependencies are built from where the system has none: version, then URL
# and SHA-256 of the release and of Debian's copy of it, which differs where Debian packs anew.

set(kith_debian "http://deb.debian.org/debian/pool/main")

set(KITH_VERSION_CLI11 2.3.2)
set(KITH_SOURCES_CLI11
  "https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.3.2.tar.gz"
  aac0ab42108131ac5d3344a9db0fdf25c4db652296641955720a4fbe52334e22
  "${kith_debian}/c/cli11/cli11_2.1.2+ds.orig.tar.xz"
  8143d20b688e98ccce8e24562d3b68e5f47c12e896c42c7ca8553dbde5bed55d)

set(KITH_VERSION_nlohmann_json 3.11.2)
set(KITH_SOURCES_nlohmann_json
  "https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz"
  d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
  "${kith_debian}/n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz"
  d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273)

set(KITH_VERSION_fmt 9.1.0)
set(KITH_SOURCES_fmt
  "https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz"
  5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2
  "${kith_debian}/f/fmtlib/fmtlib_9.1.0+ds1.orig.tar.gz"
  84ce1c2d0be3a9863935137969dcec6970125caac032f82474640bfc81463583)

set(KITH_VERSION_hwloc 2.9.0)
set(KITH_SOURCES_hwloc
  "https://download.open-mpi.org/release/hwloc/v2.9/hwloc-2.9.0.tar.bz2"
  2070e963596a2421b9af8eca43bdec113ee1107aaf7ccb475d4d3767a8856887
  "${kith_debian}/h/hwloc/hwloc_2.9.0.orig.tar.bz2"
  b3fb1a43a14d8fbcd8e976de5ede2ea7ce1d768ed173adb33c7ceaaf098dc970)

set(KITH_VERSION_Scotch 7.0.3)
set(KITH_SOURCES_Scotch
  "https://gitlab.inria.fr/scotch/scotch/-/archive/v7.0.3/scotch-v7.0.3.tar.gz"
  5b5351f0ffd6fcae9ae7eafeccaa5a25602845b9ffd1afb104db932dd4d4f3c5
  "${kith_debian}/s/scotch/scotch_7.0.3.orig.tar.xz"
  09b582e75df3cf91313e8dd83306bc9d59385fa358d6d4052e5bbf8c75a83348)

# What Scotch is built with.
set(KITH_VERSION_m4 1.4.19)
set(KITH_SOURCES_m4
  "https://ftp.gnu.org/gnu/m4/m4-1.4.19.tar.gz"
  3be4a26d825ffdfda52a56fc43246456989a3630093cced3fbddf4771ee58a70
  "${kith_debian}/m/m4/m4_1.4.19.orig.tar.xz"
  63aede5c6d33b6d9b13511cd0be2cac046f2e70fd0a07aa9573a04a82783af96)

set(KITH_VERSION_bison 3.8.2)
set(KITH_SOURCES_bison
  "https://ftp.gnu.org/gnu/bison/bison-3.8.2.tar.gz"
  06c9e13bdf7eb24d4ceb6b59205a4f67c2c7e7213119644430fe82fbd14a0abb
  "${kith_debian}/b/bison/bison_3.8.2+dfsg.orig.tar.xz"
  dff8a3c96dd34121828f62a7fa49e1f7765815b89e59f564e8d2a9e71c177be5)

set(KITH_VERSION_flex 2.6.4)
set(KITH_SOURCES_flex
  "https://github.com/westes/flex/releases/download/v2.6.4/flex-2.6.4.tar.gz"
  e87aae032bf07c26f85ac0ed3250998c37621d95f8bd748b31f15b33c45ee995
  "${kith_debian}/f/flex/flex_2.6.4.orig.tar.gz"
  e87aae032bf07c26f85ac0ed3250998c37621d95f8bd748b31f15b33c45ee995)
