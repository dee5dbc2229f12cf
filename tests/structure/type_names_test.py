#!/usr/bin/env python3
"""No two types have one name in one namespace: two inline members of such types are one function to the
linker. Anonymous namespaces are excepted.

Run without arguments: checks this tree, then that pairs planted in a copy of it are found.
"""
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "lib", "tools")
# Of comments, literals and directives nothing is read.
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                     r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"\w+|::|\[\[.*?\]\]|\S", re.DOTALL)


class Scope:
    """What a brace opened: a named namespace or type; or what hides names (None)."""

    def __init__(self, name, is_type=False):
        self.name = name
        self.is_type = is_type


def scope_opened(words):
    """What "words {" opens, from the words since the last ; { or }."""
    if "namespace" in words:
        names = [word for word in words[words.index("namespace") + 1:] if word not in ("::", "inline")]
        return Scope("::".join(names) or None)
    if words[:1] == ["extern"] and len(words) == 1:  # extern "C": the literal is gone
        return Scope("")
    while words[:1] == ["template"]:
        words = after_angles(words[1:])
    words = [word for word in words if not word.startswith("[[")]
    for at, word in enumerate(words):
        if word in ("struct", "class", "union", "enum"):
            rest = [other for other in words[at + 1:] if other not in ("class", "struct", "alignas")]
            name, following = rest[0] if rest else None, rest[1:2]
            if name and re.match(r"[A-Za-z_]\w*$", name) and following in ([], [":"], ["final"]):
                return Scope(name, is_type=True)
            return Scope(None)
        if word in ("(", "="):
            break
    return Scope(None)


def after_angles(words):
    """The words behind a leading <...>."""
    depth = 0
    for at, word in enumerate(words):
        depth += {"<": 1, ">": -1}.get(word, 0)
        if depth == 0:
            return words[at + 1:]
    return []


def types_in(text):
    """The qualified names of all types that `text` defines where others can see them."""
    found, scopes, words = [], [], []
    text = re.sub(r"alignas\s*\([^()]*\)", " ", IGNORED.sub(" ", text))
    for token in TOKEN.findall(text):
        if token == "{":
            scope = scope_opened(words)
            if scope.is_type and all(outer.name is not None for outer in scopes):
                outer = [one.name for one in scopes if one.name]
                found.append("::".join([*outer, scope.name]))
            scopes.append(scope)
            words = []
        elif token == "}":
            if scopes:
                scopes.pop()
            words = []
        elif token == ";":
            words = []
        else:
            words.append(token)
    return found


def doubles(root):
    """["NAME: FILE, FILE", ...] of the types that two files of the tree at `root` define, and the number
    of all types."""
    places = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".hpp", ".h", ".cpp"):
                for name in types_in(file.read_text()):
                    places.setdefault(name, set()).add(str(file.relative_to(root)))
    return [f"{name}: {', '.join(sorted(files))}" for name, files in sorted(places.items())
            if len(files) > 1], len(places)


PLANTED = [
    "namespace kith { struct Twice { int a; }; }",
    "namespace kith {\nclass Twice final : public std::vector<int> {\n};\n}",
    "namespace kith { template <class A, class B = C<int>> struct Twice {}; }",
    "namespace kith { int a = 1'000; struct Twice { int b = 2'000; }; }",
    "namespace kith { enum class Twice : int { a }; }",
    'extern "C" { namespace kith { union alignas(16) Twice { char c; }; } }',
    'namespace kith { const char* s = "{"; char c = \'{\'; struct [[nodiscard]] Twice {}; /* } */ }',
]
HARMLESS = [
    "namespace kith { namespace { struct Twice {}; } }",
    "namespace kith { struct Twice; }",
    "namespace kith::other { struct Twice {}; }",
    "namespace kith { struct Other { struct Twice {}; }; }",
    "namespace kith { template <> struct Twice<int> {}; }",
    "namespace kith { void f() { struct Twice {}; } struct Twice* g() { return nullptr; } }",
]


def is_double(text):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name, part in (("lib", "namespace kith { struct Twice {}; }"), ("tools", text)):
            (tree / name).mkdir()
            (tree / name / f"{name}.hpp").write_text(part)
        return doubles(tree)[0] != []


problems, count = doubles(ROOT)
print("\n".join(problems) or f"{count} types, each name once in its namespace")
wrong = [text for text in PLANTED if not is_double(text)] + [text for text in HARMLESS if is_double(text)]
print("\n".join(f"judged wrongly: {text}" for text in wrong) or f"{len(PLANTED)} planted pairs found")
sys.exit(1 if problems or wrong or count < 500 else 0)
