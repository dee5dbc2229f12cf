#!/usr/bin/env python3
"""One of the README's two commands on a bare Debian: a root that debootstrap makes, with nothing in it
but the packages that every Debian has.

usage: bare_test.py SUITE COMMAND [ARGUMENTS...]     such as: bare_test.py trixie tools/quickstart

The root is made once, below ~/.cache/kith (or XDG_CACHE_HOME), as are the packages that apt fetches. Each
run sees it through an overlay of its own, in namespaces that end with it: the root stays bare.
"""
import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

SOURCE = kt.setting("KITH_SOURCE")
KEYRING = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kith"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENTER = """set -eu
mount -t overlay overlay -o lowerdir="$1",upperdir="$2/upper",workdir="$2/work" "$2/root"
cd "$2/root"
mount --rbind /dev dev
mount --rbind /sys sys
mount -t proc proc proc
mount --bind "$3" var/cache/apt/archives
shift 3
exec chroot . "$@"
"""


def mirror():
    """The archive that this machine's own packages come from, if it is Debian's."""
    done = subprocess.run(["apt-get", "indextargets", "Created-By: Packages", "--format",
                           "$(REPO_URI)"], text=True, capture_output=True, check=False)
    found = [line.rstrip("/") for line in done.stdout.splitlines() if line.rstrip("/").endswith("/debian")]
    return found[0] if found else "http://deb.debian.org/debian"


def sources(suite):
    """The three archives of an installed Debian."""
    lines = [f"deb {mirror()} {suite} main", f"deb {mirror()} {suite}-updates main",
             f"deb {mirror()}-security {suite}-security main"]
    return "".join(f"{line}\n" for line in lines)


def bare_root(suite):
    """Made at the first call; a root that was not finished is never seen."""
    root = CACHE / suite
    if root.is_dir():
        return root
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{suite}-", dir=CACHE) as unfinished:
        new = pathlib.Path(unfinished) / "root"
        done = subprocess.run(["debootstrap", "--variant=minbase", f"--keyring={KEYRING}", suite, new,
                               mirror()], text=True, capture_output=True, check=False)
        if done.returncode != 0:
            kt.skip(f"no root of {suite}: {done.stdout[-500:]}{done.stderr[-500:]}")
        (new / "etc/apt/sources.list").write_text(sources(suite))
        # Services of packages are not started in a chroot.
        policy = new / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        new.rename(root)
    return root


def copy_of_the_tree(place):
    """What git knows of, as it stands here; not the builds."""
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, text=True, check=False)
    kt.check_equal(listed.returncode, 0, f"git ls-files: {listed.stderr}")
    for name in filter(None, listed.stdout.split("\0")):
        if (SOURCE / name).exists():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, place / name, follow_symlinks=False)


def die_with_parent():
    """A test that ctest kills leaves no build behind: unshare takes what runs inside with it."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def run_in(root, folder, archives, words):
    """The command in the overlay of `folder`; its output is passed on as it comes."""
    kept = [f"{name}={os.environ[name]}" for name in ("http_proxy", "https_proxy", "no_proxy")
            if name in os.environ]
    inside = ["/usr/bin/env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8", *kept, *words]
    return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER,
                           "sh", root, folder, archives, *inside], check=False,
                          preexec_fn=die_with_parent).returncode


def can_overlay(folder):
    (folder / "lower").mkdir()
    done = subprocess.run(["unshare", "--mount", "sh", "-c", "mount -t overlay overlay -o lowerdir=lower,"
                           "upperdir=upper,workdir=work root"], cwd=folder, capture_output=True,
                          text=True, check=False)
    return done.returncode == 0


@contextlib.contextmanager
def bare_machine(suite):
    """A folder whose `upper` has what differs from the bare root, Kith's tree among it, and a function
    that runs words there. Skips the test where no such root can be made."""
    if os.geteuid() != 0:
        kt.skip("only root can make a root")
    kt.need_programs("debootstrap", "unshare", "chroot", "git")
    if not KEYRING.exists():
        kt.skip(f"no {KEYRING} (package debian-archive-keyring)")
    root = bare_root(suite)
    archives = CACHE / f"{suite}-archives"
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{suite}-run-", dir=CACHE) as name:
        folder = pathlib.Path(name)
        for part in ("upper", "work", "root"):
            (folder / part).mkdir()
        if not can_overlay(folder):
            kt.skip("no overlay can be mounted here")
        copy_of_the_tree(folder / "upper/root/kith")
        (folder / "upper/etc").mkdir()
        for file in ("resolv.conf", "hosts", "hostname"):
            shutil.copy(f"/etc/{file}", folder / "upper/etc")
        yield folder, lambda words: run_in(root, folder, archives, words)


def main(suite, command):
    with bare_machine(suite) as (folder, run):
        status = run(["sh", "-c", 'cd /root/kith && exec "$@"', "sh", *command])
        kt.check_equal(status, 0, f"{suite}: exit status of {' '.join(command)}")
        if command == ["tools/quickstart"]:
            page = folder / "upper/root/kith/build/quickstart/lammps/slab.html"
            kt.check(page.is_file(), f"{suite}: {page.name} was not made")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
