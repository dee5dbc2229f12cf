#!/usr/bin/env python3
"""What the documents name is there, and what is there is named: links, files, settings, subcommands,
algorithms, machines, launch formats."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from documents import FOLDERS, documents, links, prose, section, table_rows  # noqa: E402
from kithtest import setting  # noqa: E402

ROOT = setting("KITH_SOURCE")
KITH = setting("KITH")
README = ROOT / "README.md"
CODE = (".c", ".cpp", ".h", ".hpp", ".py", ".f90", ".F90", ".table")

# Files that the build makes, or that belong to MPI; and what examples call the reader's own.
NOT_OURS = {"mpi.h", "mpi-ext.h", "mpif.h", "late_mpi.h", "mpi_symbols.inc", "intercepted.inc"}
PLACEHOLDER = re.compile(r"(^|[/_])X([_.]|$)|NAME|FILE|PREFIX|(^|/)app\.")
# Made by CONTRIBUTING.md itself; its own test sees to them.
WORKED_EXAMPLES = re.compile(r"(^|/)(chain(_test)?|lsf_geometry|hyperx_source(_test)?)\.cpp$")


def kith(*words):
    return subprocess.run([KITH, *words], text=True, capture_output=True, check=True).stdout


def files_of(nodes, files, index):
    """The CMake files that lead to a test, from CTest's graph of them."""
    while index is not None:
        yield files[nodes[index]["file"]]
        index = nodes[index].get("parent")


def subcommands():
    return set(re.findall(r"(?m)^  ([a-z]+) +[A-Z]", kith("--help").split("Options:")[0]))


def files():
    """All files of the tree, relative to its root."""
    for name in FOLDERS:
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT)
    for path in ROOT.iterdir():
        if path.is_file():
            yield path.relative_to(ROOT)


def quoted(text):
    """What stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).lower())
    return kept.replace(" ", "-")


def anchors(path):
    return {slug(line.lstrip("#").strip()) for line in prose(path).splitlines()
            if line.startswith("#")}


class Documents(unittest.TestCase):
    maxDiff = None

    def test_links_lead_somewhere(self):
        broken = []
        for document in documents(ROOT):
            for link in links(document):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, anchor = link.partition("#")
                target = (document.parent / name) if name else document
                if not target.exists():
                    broken.append(f"{document.relative_to(ROOT)}: {link}")
                elif anchor and (target.suffix != ".md" or anchor not in anchors(target)):
                    broken.append(f"{document.relative_to(ROOT)}: no heading for {link}")
        self.assertEqual(broken, [])

    def test_files_that_documents_name_exist(self):
        there = [f"/{path}" for path in files()]
        missing = []
        for document in documents(ROOT):
            for words in quoted(prose(document)):
                for word in re.findall(r"[\w./-]+", words):
                    plain = re.sub(r"^(\.\./)+", "", word)
                    if (pathlib.PurePath(plain).suffix in CODE and plain not in NOT_OURS
                            and not PLACEHOLDER.search(plain) and not WORKED_EXAMPLES.search(plain)
                            and not any(path.endswith(f"/{plain}") for path in there)):
                        missing.append(f"{document.relative_to(ROOT)}: {word}")
        self.assertEqual(missing, [])

    def test_every_module_names_its_folders(self):
        """Files speak by their names; what a folder is for stands in the module's README."""
        unnamed = []
        for module in [*sorted((ROOT / "lib").iterdir()), ROOT / "tools"]:
            if not module.is_dir():
                continue
            self.assertTrue((module / "README.md").is_file(), f"{module} has no README.md")
            text = "\n".join(path.read_text() for path in module.rglob("*.md"))
            named = set(re.findall(r"[\w.-]+(?=/)", text))
            held = {part for path in module.rglob("*") if path.suffix in CODE
                    for part in path.relative_to(module).parts[:-1]}
            unnamed += [f"{module.relative_to(ROOT)}: {folder}" for folder in sorted(held - named)]
        self.assertEqual(unnamed, [])

    def test_every_folder_of_tests_is_named(self):
        named = {quoted(row[0])[0] for row in table_rows(ROOT / "tests" / "README.md")}
        there = {path.name for path in (ROOT / "tests").iterdir()
                 if path.is_dir() and path.name != "__pycache__"}
        self.assertEqual(named, there)

    def test_labels_of_tests(self):
        """The table of tests/README.md says by which label each folder's tests are called (`full`
        may come on top of any)."""
        listed = json.loads(subprocess.run(
            ["ctest", "--test-dir", setting("KITH_BINARY"), "--show-only=json-v1"], text=True,
            capture_output=True, check=True).stdout)
        files, nodes = listed["backtraceGraph"]["files"], listed["backtraceGraph"]["nodes"]
        used = {}
        for test in listed["tests"]:
            folder = test.get("backtrace") is not None and re.search(
                r"/tests/(\w+)/", "".join(files_of(nodes, files, test["backtrace"])))
            if folder:
                used.setdefault(folder[1], set()).update(
                    label for one in test["properties"] if one["name"] == "LABELS"
                    for label in one["value"])
        self.assertIn("cli", used)
        told = {quoted(row[0])[0]: set(row[1].split(", "))
                for row in table_rows(ROOT / "tests" / "README.md")}
        for folder, labels in used.items():
            self.assertEqual(labels - {"full"}, told.get(folder, set()) - {"full", ""}, folder)

    def test_settings(self):
        """A job's settings are in lib/protocol's table, others in a document of their module; each
        that a document names is one, or a variable of CMake."""
        read, known = set(), set()
        for path in files():
            if path.suffix in (".cpp", ".hpp", ".c", ".h") and path.parts[0] in ("lib", "tools"):
                text = (ROOT / path).read_text()
                read |= set(re.findall(r'"(KITH_[A-Z0-9_]*[A-Z0-9])"', text))
            elif path.suffix == ".py" and path.parts[0] in ("lib", "tools"):
                read |= set(re.findall(r'environ\b.*"(KITH_\w+)"', (ROOT / path).read_text()))
            elif path.suffix in (".txt", ".cmake") or path.name == "CMakePresets.json":
                known |= set(re.findall(r"KITH_[A-Z0-9_]+", (ROOT / path).read_text()))
        self.assertIn("KITH_TRACE", read)
        # Not for users, or only for those who look into messages (lib/preload/record/pml).
        special = {"KITH_CHECK", "KITH_RUN_MARK", "KITH_RUN_NUMBER", "KITH_EXACT_SOURCE", "KITH_TOPOLOGIES"}  # the last: a former name
        of_a_job = re.findall(r'"(KITH_\w+)"', (ROOT / "lib/protocol/settings.cpp").read_text())
        of_a_profile = {name for source in (ROOT / "lib/profile").rglob("*.cpp")
                        for name in re.findall(r'"(KITH_\w+)"', source.read_text())}
        self.assertIn("KITH_HOME", of_a_profile)
        table = {quoted(row[0])[0].split("=")[0]
                 for row in table_rows(ROOT / "lib/protocol/README.md", "Settings in a job")}
        self.assertEqual(set(of_a_job) - special - of_a_profile - table, set(),
                         "not in the table")
        self.assertEqual(table - read, set(), "in the table, which no code reads")
        anywhere = set()
        for document in documents(ROOT):
            named = set(re.findall(r"\bKITH_[A-Z0-9_]*[A-Z0-9]\b", document.read_text()))
            self.assertEqual(named - read - known, set(), f"{document}: no such setting")
            anywhere |= named
        self.assertEqual(read - anywhere - known, set(), "read by the code, in no document")

    def test_subcommands(self):
        real = subcommands()
        unlisted = {"study"}
        self.assertIn("map", real)
        named = set()
        for document in documents(ROOT):
            used = re.findall(r"`kith ([a-z]+)[^`\n]*`", document.read_text())
            self.assertEqual(set(used) - real - unlisted, set(), f"{document}: no such subcommand")
            if document == ROOT / "tools" / "README.md":
                named = set(used)
        self.assertEqual(real - named, set(), "not in tools/README.md")

    def test_options(self):
        """Commands of `kith` in prose and code blocks use options that the subcommand has."""
        offered = {name: set(re.findall(r"--?[a-zA-Z][a-z0-9-]*", kith(name, "--help")))
                   for name in subcommands()}
        unknown = []
        for document in documents(ROOT):
            lines = quoted(document.read_text()) + document.read_text().splitlines()
            for name, words in re.findall(r"(?m)^(?:\$ |build/bin/)?kith ([a-z]+) (.*)$",
                                          "\n".join(lines)):
                ours = re.split(r" -- | # ", f" {words} ")[0]
                used = re.findall(r"(?<=\s)--?[a-zA-Z][a-z0-9-]*", ours)
                unknown += [f"{document.relative_to(ROOT)}: kith {name} {option}"
                            for option in used if option not in offered.get(name, used)]
        self.assertEqual(unknown, [])

    def test_messages(self):
        """What the README quotes of messages is in the code."""
        code = "".join((ROOT / path).read_text() for path in files()
                       if path.suffix == ".cpp" and path.parts[0] in ("lib", "tools"))
        code = re.sub(r'"\s*"', "", code)  # texts in several pieces
        phrases = [part.strip() for row in table_rows(README, "When something is wrong")
                   for phrase in quoted(row[0]) for part in re.split(r"\.\.\.|\S+\.kith", phrase)
                   if " " in part.strip()]
        self.assertGreater(len(phrases), 3)
        self.assertEqual([phrase for phrase in phrases if phrase not in code], [])

    def test_algorithms(self):
        named = {name for row in table_rows(ROOT / "lib/mapping/README.md", "Algorithms")
                 for name in quoted(row[0])}
        self.assertEqual(named, {one["name"] for one in json.loads(kith("algorithms", "--json"))})

    def test_machines(self):
        """Each kind has a row, and each example that needs no file describes a machine."""
        specs = [spec for row in table_rows(ROOT / "lib/machine/README.md", "Machines")
                 for spec in quoted(row[0])]
        refusal = subprocess.run([KITH, "topo", "none:"], text=True, capture_output=True).stderr
        kinds = {re.match(r"[a-z]+:?", word)[0]
                 for word in refusal.split("one of ")[1].split(", found")[0].split(", ")}
        self.assertGreater(len(kinds), 10)
        self.assertEqual({re.match(r"[a-z]+:?", spec)[0] for spec in specs}, kinds)
        for spec in specs:
            if not re.search(r"FILE|\.xml|\.conf|^job", spec):
                self.assertIn("slots", kith("topo", spec), spec)

    def test_launch_formats(self):
        """The README lists those of `kith map --format`."""
        offered = re.search(r"--format (mapping\S+)", kith("map", "--help"))[1].split("|")
        launchers = set(offered) - {"mapping", "json", "hosts", "nodelist"}
        self.assertIn("rankfile", launchers)
        named = {name for row in table_rows(README, "Launch files") for name in quoted(row[0])}
        self.assertEqual(named, launchers)


if __name__ == "__main__":
    unittest.main()
