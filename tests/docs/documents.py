"""What the tests of the documents share: the documents, their code blocks, their links."""
import dataclasses
import pathlib
import re

# Folders of documents and code; what else lies in the tree (build folders) is none of ours.
FOLDERS = (".github", "lib", "tools", "tests", "examples", "include", "cmake")


def documents(root):
    """All Markdown files of the tree."""
    found = sorted(root.glob("*.md"))
    for folder in FOLDERS:
        found += sorted((root / folder).rglob("*.md"))
    return found


@dataclasses.dataclass
class Block:
    """A fenced code block."""
    language: str  # "" where the fence names none
    text: str
    lead: str  # the last line of text before it
    line: int  # of the opening fence, from 1


def blocks(path):
    """The fenced code blocks of a document, in order."""
    found, lead, opened = [], "", None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = re.fullmatch(r"```(\w*)", line)
        if opened is None and fence:
            opened, lines = Block(fence[1], "", lead, number), []
        elif opened is not None and line == "```":
            opened.text = "".join(f"{one}\n" for one in lines)
            found.append(opened)
            opened = None
        elif opened is not None:
            lines.append(line)
        elif line.strip():
            lead = line
    assert opened is None, f"{path}:{opened.line}: a code block without an end"
    return found


def prose(path):
    """A document without its code blocks."""
    return re.sub(r"(?ms)^```.*?^```$", "", path.read_text())


def links(path):
    """Where the links and pictures of a document lead."""
    text = re.sub(r"`[^`\n]*`", "", prose(path))
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)


def section(path, title):
    """The text of a section, from its heading to the next one of the same rank."""
    text = path.read_text()
    found = re.search(rf"(?m)^(#+) {re.escape(title)}$", text)
    assert found, f"{path}: no section '{title}'"
    rest = text[found.end():]
    end = re.search(rf"(?m)^#{{1,{len(found[1])}}} ", rest)
    return rest[:end.start()] if end else rest


def table_rows(path, title=None):
    """The rows of all tables of a document, or of a section of it: lists of cells, heads left out."""
    lines = (section(path, title) if title else path.read_text()).splitlines()
    is_rule = [bool(re.fullmatch(r"\|[-:| ]+\|", line)) for line in lines] + [False]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for i, line in enumerate(lines)
            if line.startswith("|") and not is_rule[i] and not is_rule[i + 1]]
