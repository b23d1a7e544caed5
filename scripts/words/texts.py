"""The English texts of the project's files: comments, docstrings, string literals, paragraphs and test names."""

import ast
import dataclasses
import io
import os
import re
import tokenize

FOLDERS = (".ci", "Benchmarks", "Sources", "Tests", "clients", "docs", "examples", "packaging", "scripts")
SKIPPED = {"node_modules", "dist", "corpus", "Golden", "__pycache__"}

STRING = r'"(?:\\\((?:[^()"]|"[^"\n]*"|\((?:[^()]|\([^()]*\))*\))*\)|\\[\s\S]|[^"\\\n])*"'
# A pattern for each language that finds comments and strings.
C_COMMENT = r"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"
SCANNERS = {
    "swift": rf'{C_COMMENT}|(?P<string>#"[\s\S]*?"#|"""[\s\S]*?"""|{STRING})',
    "c": rf"{C_COMMENT}|(?P<string>{STRING})|'(?:\\.|[^'\\\n])'",
    "js": rf"{C_COMMENT}|(?P<string>{STRING}|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`)",
    "lua": rf"(?P<comment>--\[\[[\s\S]*?\]\]|--[^\n]*)|(?P<string>{STRING}|'(?:\\.|[^'\\\n])*')",
    "vim": r"(?P<comment>(?:(?<=\s)|\A)\#[^\n]*|(?<=\n)[ \t]*\"[^\n]*|\A\"[^\n]*)|"
    rf"(?P<string>'(?:''|[^'\n])*'|{STRING})",
    "lisp": r'(?P<comment>;[^\n]*)|(?P<string>(?<!\?)"(?:\\[\s\S]|[^"\\])*")|\?\\?.',
    "shell": rf"(?P<comment>(?:(?<=\s)|\A)\#[^\n]*)|(?P<string>{STRING}|'[^'\n]*')",
}
SCANNERS = {language: re.compile(pattern) for language, pattern in SCANNERS.items()}
LANGUAGES = {
    "c": (".c", ".h", ".modulemap"), "js": (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"), "lisp": (".el",),
    "lua": (".lua",), "markdown": (".md",), "python": (".py",), "shell": (".sh", ".bash"), "swift": (".swift",),
    "vim": (".vim",),
}  # fmt: skip
LANGUAGES = {suffix: language for language, suffixes in LANGUAGES.items() for suffix in suffixes}
MARKER = re.compile(r'^[ \t]*(?:/{2,}!?|/\*+!?|\*+/?|--\[\[|-{2,}|;+|#+!?|")?[ \t]?|[ \t]*(?:\*/|\]\])?[ \t]*$')
DELIMITER = re.compile(r"""\A(?:#?"{3}|#?"|['`])|(?:"{3}#?|"#?|['`])\Z""")
INTERPOLATION = re.compile(r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^{}]*\}")
SWIFT_TEST = re.compile(r"^[ \t]*@Test\b(?:(?!@Test\b)[\s\S])*?\bfunc\s+`?(\w+)", re.MULTILINE)
DISPLAY_NAME = re.compile(r'@(?:Test|Suite)\(\s*"((?:\\.|[^"\\\n])*)"')
TEST_CALL = re.compile(r"\b(?:test|it|describe)\(\s*\Z")
BLOCK_START = re.compile(r"\s*(?:[-*+] |\d+\. |>|#+ |\|)")


@dataclasses.dataclass
class Piece:
    """A text of a file. `kind` is `comment`, `docstring`, `string`, `paragraph`, `row`, `heading`, `test` (the name
    of a function) or `title` (the text that names a test)."""

    kind: str
    line: int
    lines: list
    before: str = ""

    @property
    def text(self):
        return " ".join(self.lines)

    def line_at(self, offset):
        """Returns the number of the line that contains an offset of `text`."""
        for number, line in enumerate(self.lines):
            offset -= len(line) + 1
            if offset < 0:
                return self.line + number
        return self.line + len(self.lines) - 1


def files(root, paths=()):
    """Yields the relative paths of the files below `root`, or below `paths`, whose language is known."""
    tops = paths or [*FOLDERS, *sorted(path.name for path in root.iterdir() if path.is_file())]
    for top in tops:
        if (root / top).is_file():
            found = [str(top)]
        else:
            found = []
            for folder, inner, names in os.walk(root / top):
                inner[:] = sorted(name for name in inner if name not in SKIPPED and not name.startswith("."))
                found += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)]
        yield from (name for name in found if language(root / name))


def language(path):
    """Returns the language of a file by its name or its first line; None if it is unknown."""
    if path.name == "Makefile":
        return "shell"
    if path.suffix == ".txt" and path.parent.name == "doc":
        return "markdown"
    if path.suffix in LANGUAGES or path.suffix:
        return LANGUAGES.get(path.suffix)
    with open(path, "rb") as file:
        first = file.readline(80)
    if not first.startswith(b"#!"):
        return None
    return "python" if b"python" in first else "shell" if b"sh" in first else None


def pieces(path):
    """Returns the texts of a file in the order of the file."""
    text, kind = path.read_text(encoding="utf-8", errors="replace"), language(path)
    read = {"markdown": _markdown, "python": _python}.get(kind)
    found = list(read(text)) if read else list(_scanned(text, SCANNERS[kind]))
    if kind == "swift":
        found += [Piece("test", _line(text, match.start(1)), [match[1]]) for match in SWIFT_TEST.finditer(text)]
        found += [Piece("title", _line(text, match.start(1)), [match[1]]) for match in DISPLAY_NAME.finditer(text)]
    return sorted(found, key=lambda piece: piece.line)


def _line(text, offset):
    return text.count("\n", 0, offset) + 1


def _joined(comments):
    """Yields one piece for each block of comment lines. `comments` has (line, text, stands alone)."""
    block, kind = [], "comment"
    for line, text, alone in comments:
        lines = [MARKER.sub("", part) for part in text.split("\n")]
        next_kind = "docstring" if re.match(r"\s*(///|/\*\*|---|;;;)", text) else "comment"
        follows = block and alone and next_kind == kind and line == block[0] + len(block[1])
        if follows:
            block[1].extend(lines)
            continue
        if block:
            yield Piece(kind, *block)
        block, kind = [line, lines], next_kind
    if block:
        yield Piece(kind, *block)


def _scanned(text, scanner):
    """Yields the comments and strings of a file that a regular expression can scan."""
    comments, strings, last = [], [], 0
    for match in scanner.finditer(text):
        if match.lastgroup == "comment":
            start = text.rfind("\n", 0, match.start()) + 1
            alone = not text[start : match.start()].strip()
            comments.append((_line(text, match.start()), match[0].lstrip("\n"), alone))
        elif match.lastgroup == "string":
            value = INTERPOLATION.sub(_placeholder, DELIMITER.sub("", match[0])).replace('\\"', '"')
            gap = text[last : match.start()]
            if strings and re.fullmatch(r"\s*(?:\+|\.\.)\s*", gap):
                filler = gap.count("\n")
                strings[-1].lines[-1] += value.split("\n")[0] if not filler else ""
                strings[-1].lines += ([""] * (filler - 1) + value.split("\n")) if filler else value.split("\n")[1:]
            else:
                before = text[max(0, match.start() - 240) : match.start()]
                kind = "title" if TEST_CALL.search(before) else "string"
                strings.append(Piece(kind, _line(text, match.start()), value.split("\n"), before))
            last = match.end()
    yield from _joined(comments)
    yield from strings


def _placeholder(match):
    """Returns `<name>` for an interpolated value."""
    names = [name for name in re.findall(r"\b[a-z_]\w*", match[0]) if name not in ("self", "try", "await")]
    return f"<{names[0]}>" if names else "<value>"


def _python(text):
    """Yields the comments, docstrings, strings and test names of Python."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = []
    for token in tokens:
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string, not token.line[: token.start[1]].strip()))
    yield from _joined(comments)
    documented, parts = {}, set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node, clean=False) is not None:
                documented[id(node.body[0].value)] = True
            if getattr(node, "name", "").startswith("test_"):
                yield Piece("test", node.lineno, [node.name])
        if isinstance(node, ast.JoinedStr):
            parts.update(id(value) for value in node.values)
            shown = [value.value if isinstance(value, ast.Constant) else "<value>" for value in node.values]
            yield Piece("string", node.lineno, "".join(shown).split("\n"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            kind = "docstring" if id(node) in documented else "string"
            yield Piece(kind, node.lineno, node.value.split("\n"))


def _markdown(text):
    """Yields the paragraphs, list items, headings and table rows of a document without its code blocks."""
    block, fence = None, ""
    for number, line in enumerate([*text.split("\n"), ""], 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        is_code = bool(fence or mark)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        starts = BLOCK_START.match(line)
        if block and (is_code or not line.strip() or starts):
            yield block
            block = None
        if is_code or not line.strip():
            continue
        if block:
            block.lines.append(line.strip())
        else:
            sign = starts[0].strip()[:1] if starts else ""
            kind = {"#": "heading", "|": "row"}.get(sign, "paragraph")
            block = Piece(kind, number, [re.sub(r"^\s*(?:[-*+] |\d+\. |> ?|#+ )", "", line).strip()])
