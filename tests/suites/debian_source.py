"""Sources of Debian packages, through apt with lists of its own: nothing of the system changes."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


def source_lines():
    """`deb-src` lines of the archives that this system's packages come from."""
    done = subprocess.run(["apt-get", "indextargets", "Created-By: Packages", "--format",
                           "$(REPO_URI) $(CODENAME) $(COMPONENT)"], text=True, capture_output=True)
    lines = sorted({line for line in done.stdout.splitlines() if "/debian" in line})
    signed = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
    return "".join(f"deb-src {signed}{line}\n" for line in lines)


def apt(folder, *words, **options):
    settings = {"Dir::Etc::sourcelist": folder / "apt/sources.list", "Dir::Etc::sourceparts": "-",
                "Dir::State::lists": folder / "apt/lists", "Dir::Cache": folder / "apt",
                "APT::Sandbox::User": ""}
    flags = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    return subprocess.run(["apt-get", "-q", *map(str, flags), *words], text=True, timeout=600,
                          capture_output=True, **options)


def unpacked(package, folder):
    """The unpacked source of `package` below `folder`, fetched at the first call. Skips the test
    where it cannot be had."""
    place = folder / package
    if place.is_dir():
        return place
    kt.need_programs("apt-get", "dpkg-source", "tar")
    for part in ("apt/lists/partial", "apt/archives/partial", "fetched"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "apt/sources.list").write_text(source_lines())
    for words in (("update",), ("source", "--download-only", package)):
        done = apt(folder, *words, cwd=folder / "fetched")
        if done.returncode != 0:
            said = " ".join((done.stderr or done.stdout).split())
            kt.skip(f"no source of {package}: {said[-300:]}")
    shutil.rmtree(folder / "unpacking", ignore_errors=True)
    description = next((folder / "fetched").glob(f"{package}_*.dsc"))
    done = subprocess.run(["dpkg-source", "--no-check", "-x", description, folder / "unpacking"],
                          text=True, capture_output=True)
    if done.returncode != 0:
        kt.skip(f"the source of {package} could not be unpacked: {done.stderr.strip()[-300:]}")
    (folder / "unpacking").rename(place)
    return place
