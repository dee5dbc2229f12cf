"""The sources of this tree and what they include."""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "lib", "tools", "tests", "examples")
SUFFIXES = (".cpp", ".hpp", ".h", ".c")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


class Tree:
    """The texts of the sources, by path relative to `root`; `planted` replaces some or adds some."""

    def __init__(self, root, planted=None):
        self.root = root
        self.planted = planted or {}
        files = (file.relative_to(root) for folder in FOLDERS
                 for file in sorted((root / folder).rglob("*"))
                 if file.suffix in SUFFIXES and file.is_file())
        self.paths = dict.fromkeys([*files, *self.planted])
        self.text = functools.cache(self.text)
        self.own_and_other = functools.cache(self.own_and_other)

    def text(self, path):
        return self.planted[path] if path in self.planted else (self.root / path).read_text()

    def resolve(self, path, name):
        """The file of ours that `#include "name"` in `path` means."""
        for folder in (*path.parents, "lib", "lib/preload", "include", "tools", "tools/kith"):
            candidate = pathlib.Path(folder, name)
            if candidate in self.paths:
                return candidate
        return None

    def own_and_other(self, path):
        """(paths of ours, names of others) that are there after `path` was included."""
        own, other = {path}, set()
        for _, name in INCLUDE.findall(self.text(path)):
            found = self.resolve(path, name)
            if found is None:
                other.add(name)
            elif found != path:
                more_own, more_other = self.own_and_other(found)
                own |= more_own
                other |= more_other
        return frozenset(own), frozenset(other)
