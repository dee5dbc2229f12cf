#!/usr/bin/env python3
"""The packages that CPack makes: the archive unpacked anywhere works; the Debian package has its
dependencies, is installed by dpkg itself, used and removed without a trace.

dpkg works on a copy-on-write view of this machine (overlayfs in namespaces of its own), so that
nothing outside changes. usage: package_test.py [--inside ROOT PACKAGE]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import installed
from installed import kt

WHEREAMI = kt.setting("KITH_BINARY") / "tests/apps/whereami"
# The Python package where it was found, and the library that it loaded.
LOADED = """import kith, re
print(kith.__path__[0], re.findall(r"\\S*libkith\\S*", open("/proc/self/maps").read())[:1])"""
# Of the machine itself, whatever this session has put before them.
PLAIN_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def pack(generator):
    kt.run(["cpack", "-G", generator, "-B", generator, "--config",
            kt.setting("KITH_BINARY") / "CPackConfig.cmake"], timeout=250)
    packages = [path for path in pathlib.Path(generator).absolute().iterdir() if path.is_file()]
    kt.check_equal(len(packages), 1, f"{generator} packages")
    return packages[0]


def check_archive(archive):
    kt.run(["tar", "-xzf", archive])
    prefix = pathlib.Path(archive.name.removesuffix(".tar.gz")).absolute()
    installed.check_library(next(prefix.rglob("libkith.so")).parent)
    installed.check_program(prefix / "bin/kith", WHEREAMI)
    shutil.rmtree("t.kith")
    print(f"{archive.name}: unpacked, it works")


def check_contents(package):
    fields = kt.run(["dpkg-deb", "--field", package]).stdout
    found = re.search("^Depends: (.*)$", fields, re.MULTILINE)
    depends = found[1] if found else ""
    for library in ("libc6", "libhwloc15", "libopenmpi(3|40)"):
        kt.check(re.search(rf"\b{library} \(>=", depends), f"no {library} among {depends}")
    names = {line.split()[5]: line.split()[0] for line in
             kt.run(["dpkg-deb", "--contents", package]).stdout.splitlines()}
    for name in ("bin/kith", "libexec/kith/kith-engine", "libexec/kith/kith-probe",
                 "include/kith/kith.h",
                 "include/kith/mapper.hpp", "share/doc/kith/copyright",
                 "share/man/man1/kith-map.1.gz", "share/man/man7/kith-environment.7.gz",
                 "share/bash-completion/completions/kith", "share/zsh/vendor-completions/_kith"):
        kt.check(f"./usr/{name}" in names, f"the package lacks {name}")
    strangers = [name for name in names if not name.startswith("./usr/")]
    kt.check(set(strangers) <= {"./"}, f"outside /usr: {strangers}")
    if shutil.which("lintian") is None:
        print("lintian: not there")
        return
    tags = kt.run(["lintian", "--allow-root", package], status=None).stdout.splitlines()
    kt.check_equal([tag for tag in tags if tag.startswith("E: ")], [], "lintian's errors")
    print(f"lintian: no error, {len(tags)} warnings")


def install_in_view(package):
    """Starts this script again with a changeable view of / as its root."""
    room = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.getuid() != 0:
        room += ["--user", "--map-root-user"]
    view = pathlib.Path("view").absolute()
    view.mkdir()
    script = f"""set -eu
        mount -t tmpfs view {view}; cd {view}; mkdir upper work root
        mount -t overlay view -o lowerdir=/,upperdir=upper,workdir=work root
        for place in proc dev sys; do mount --rbind /$place root/$place; done
        mount -t tmpfs tmp root/tmp; mkdir root/tmp/test; echo ready"""
    trial = subprocess.run([*room, "sh", "-c", script], capture_output=True, text=True)
    if trial.stdout != "ready\n":
        kt.not_tried(f"dpkg -i: no right to make namespaces ({trial.stderr.strip()})")
        return
    copies = f"cp -r {package} {WHEREAMI} {kt.setting('KITH_SOURCE')}/tests root/tmp/test"
    done = kt.run([*room, "sh", "-c", f"{script}\n{copies}\n"
                   f"exec chroot root python3 -B /tmp/test/tests/install/package_test.py --inside "
                   f"/tmp/test {package.name}"], {"PATH": PLAIN_PATH}, timeout=300)
    print(done.stdout.replace("ready\n", ""), end="")


def use_installed(folder, package):
    os.chdir(folder)
    files = lambda: {line for line in kt.run(["dpkg", "-L", "kith"]).stdout.splitlines()
                     if not os.path.isdir(line)}
    kt.run(["dpkg", "--install", package], {"DEBIAN_FRONTEND": "noninteractive"})
    kt.check_equal(kt.run(["dpkg", "--verify", "kith"]).stdout, "", "dpkg --verify")
    kt.check("libkith.so.0" in kt.run(["ldconfig", "-p"]).stdout, "ldconfig knows no libkith.so.0")
    kt.check_equal(shutil.which("kith"), "/usr/bin/kith", "where kith is")
    installed.check_program("kith", folder / "whereami")
    both = installed.build("kith;engine")
    installed.check_engine(both / "with_engine")
    installed.check_api(both / "with_api", "kith::kith")
    installed.check_pkg_config()
    module = kt.run(["/usr/bin/python3", "-B", "-c", LOADED]).stdout
    kt.check(re.search("dist-packages/kith .*libkith.so.0", module), f"import kith: {module}")
    owned = files()
    kt.run(["dpkg", "--purge", "kith"])
    left = [name for name in owned if os.path.lexists(name)]
    kt.check_equal(left, [], "files left by dpkg --purge")
    print(f"{package}: {len(owned)} files installed by dpkg, used, and removed")


if sys.argv[1:2] == ["--inside"]:
    use_installed(pathlib.Path(sys.argv[2]), sys.argv[3])
    sys.exit()

kt.need_programs("cpack", "dpkg-deb", "dpkg-shlibdeps", "file", "unshare", "readelf")
with kt.work_folder():
    check_archive(pack("TGZ"))
    deb = pack("DEB")
    check_contents(deb)
    install_in_view(deb)
kt.finish()
