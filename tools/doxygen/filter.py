#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doxygen's input filter: prints a header with the comments that Doxygen is to read as documentation.

    filter.py HEADER

- The comment on top of a header describes the file.
- A comment block in front of a declaration of a namespace, class or enumeration describes it: // becomes ///.
- It describes the declarations that follow without an empty line, too: they get a copy.
- A comment behind a declaration, on its line, describes it: // becomes ///<.
- Comments in functions, and those in front of an empty line, stay what they are.

Lines keep their numbers, so that Doxygen's messages and links fit the header.
"""
import re
import sys
from pathlib import Path

COMMENT = re.compile(r"\s*//(?![/!])")
COMMANDS = "brief|pre|post|param|tparam|return|returns|throws|note|see"
# Strings, characters and comments: what must not be read as code.
WORD = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^\s()\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])*\'|[{};()<>=]|[\w:~]+|\S', re.DOTALL)
ACCESS = ("public", "private", "protected")
LABEL = re.compile(r"\s*(public|private|protected)\s*:")
NO_DECLARATION = re.compile(r"\s*(#|\}|//|static_assert|GPUPROF_(?:NAMESPACE|COMPILED)|(?:public|private|protected)\s*:|$)")

UNSHARED = re.compile(NO_DECLARATION.pattern + r"|\s*(virtual )?~|.*= (default|delete)")


def escaped(text):
    """Plain text as Doxygen's own: code in backticks and indented code stay as they are."""
    if text.startswith("     "):
        return text
    parts = re.split(r"(`[^`]*`)", text)
    for at in range(0, len(parts), 2):
        part = re.sub(rf"\\|@(?!(?:{COMMANDS})\b)", r"\\\g<0>", parts[at])
        part = re.sub(r"[<>#&%]", r"\\\g<0>", part)
        parts[at] = re.sub(r"(\w)::(?=\w)", r"\1::", part)
    return "".join(parts)


class Header:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.scopes_at(text)

    def scopes_at(self, text):
        """For each line: whether declarations stand there, whether one begins there, and where its end is."""
        count = len(self.lines)
        self.open_scope = [True] * count  # at the line's begin, declarations are expected
        self.begins = [False] * count  # a declaration begins on the line
        self.ends = [False] * count  # one ends on it: ; or } or, in an enumeration, a comma
        self.opens = [False] * count  # a namespace, class or enumeration begins on it
        self.trailing = [None] * count  # column of a comment behind code
        stack, statement, line = ["namespace"], [], 0
        parentheses = 0
        skip_line = -1
        position = 0
        for match in WORD.finditer(text):
            newlines = text.count("\n", position, match.start())
            for _ in range(newlines):
                line += 1
                self.open_scope[line] = stack[-1] != "body" and not statement
            position = match.start()
            word = match[0]
            column = match.start() - (text.rfind("\n", 0, match.start()) + 1)
            extra = word.count("\n")
            if line <= skip_line:
                pass
            elif word.startswith(("//", "/*")):
                if self.lines[line][:column].strip() and word.startswith("//"):
                    self.trailing[line] = column
                    self.ends[line] |= stack[-1] == "enum" and bool(statement) # of the last enumerator
            elif word == "#" and not self.lines[line][:column].strip():
                skip_line = line
                while self.lines[skip_line].endswith("\\"):  # a macro of several lines: they are no code
                    skip_line += 1
            elif stack[-1] == "body":
                if word == "{":
                    stack.append("body")
                elif word == "}":
                    stack.pop()
                    if stack[-1] != "body":
                        self.ends[line] = True
                        if not self.awaits_semicolon:
                            statement = []
            else:
                if not statement and word not in "};" and word.rstrip(":") not in ACCESS:
                    self.begins[line] = True
                if word == "(":
                    parentheses += 1
                elif word == ")":
                    parentheses -= 1
                if word == "{" and parentheses <= 0:
                    kind = self.kind_of(statement, stack[-1])
                    stack.append(kind)
                    self.awaits_semicolon = kind == "body" and self.is_value(statement)
                    if kind != "body":
                        statement = []
                        self.opens[line] = True
                elif word == "}" and parentheses <= 0:
                    if len(stack) > 1:
                        stack.pop()
                    self.ends[line] = True
                    statement = []
                elif (word == ";" and parentheses <= 0) or (word == "," and stack[-1] == "enum"):
                    self.ends[line] = True
                    statement = []
                elif word.rstrip(":") in ACCESS and not statement:
                    pass
                elif word == "GPUPROF_NAMESPACE_BEGIN" or word == "GPUPROF_NAMESPACE_END":
                    statement = []
                    self.begins[line] = False
                elif word != "=" or (parentheses == 0 and "operator" not in statement): # no default argument
                    statement.append(word)
            for _ in range(extra):
                line += 1
                self.open_scope[line] = False
            position = match.start() + (len(word) if extra else 0)
        self.balanced = stack == ["namespace"] and not statement

    awaits_semicolon = False

    @staticmethod
    def kind_of(statement, around):
        if "namespace" in statement:
            return "namespace"
        if "enum" in statement and "(" not in statement:
            return "enum"
        if any(each in statement for each in ("class", "struct", "union")) and "=" not in statement:
            head = statement
            if "template" in head:  # its parameters may say class, too
                depth, at = 0, head.index("template") + 1
                while at < len(head):
                    depth += (head[at] == "<") - (head[at] == ">")
                    at += 1
                    if depth == 0:
                        break
                head = head[at:]
                while head[:1] == ["requires"] and not any(each in head for each in ("class", "struct", "union")):
                    head = []
            if any(each in head for each in ("class", "struct", "union")):
                before = head[: min(head.index(each) for each in ("class", "struct", "union") if each in head)]
                if "(" not in before and (not head or head[-1] != ")"):
                    return "class"
        return "body"

    @staticmethod
    def is_value(statement):
        """Braces that initialise: a semicolon ends the declaration."""
        return "=" in statement or ")" not in statement

    def blocks(self):
        """(first, last) lines of comment blocks that stand alone."""
        at = 0
        while at < len(self.lines):
            if COMMENT.match(self.lines[at]):
                last = at
                while last + 1 < len(self.lines) and COMMENT.match(self.lines[last + 1]):
                    last += 1
                yield at, last
                at = last
            at += 1

    def comment(self, line):
        return re.sub(r"^\s*//\s?", "", self.lines[line]) if COMMENT.match(self.lines[line]) else ""

    def filtered(self):
        out = list(self.lines)
        documented_by = [None] * len(out)  # the comment of the declaration that begins there
        if len(out) > 1 and out[0].startswith("// SPDX"):
            out[0] = "/// @file"
            for at in range(1, len(out)):
                if not COMMENT.match(out[at]):
                    break
                out[at] = "/// " + escaped(" " + self.comment(at)).strip() if self.comment(at) else "///"
        head = next((at for at, line in enumerate(out) if line.startswith("#ifndef")), 0)
        for first, last in self.blocks():
            if first < head or not self.open_scope[first]:
                continue
            # Below a comment behind code, in its column: the same comment goes on.
            column = len(self.lines[first]) - len(self.lines[first].lstrip())
            if first and self.trailing[first - 1] == column and column > 4:
                if self.begins[first - 1] or self.ends[first - 1]:
                    for at in range(first, last + 1):
                        out[at] = " " * column + "///< " + escaped(" " + self.comment(at)).strip()
                continue
            first_code = last + 1
            while first_code < len(out) and re.match(r"#\s*(if|define)", self.lines[first_code]):
                first_code += 1
            if first_code >= len(out) or NO_DECLARATION.match(self.lines[first_code]) or not self.begins[first_code]:
                continue
            text = [self.comment(at) for at in range(first, last + 1)]
            for at in range(first, last + 1):
                indent = re.match(r"\s*", self.lines[at])[0]
                line = self.comment(at)
                out[at] = f"{indent}/// {escaped(' ' + line)[1:]}" if not line.startswith("    ") else f"{indent}/// {line}"
            documented_by[first_code] = " ".join(text)
        # Declarations that follow without an empty line share the comment.
        shared = None
        for at, line in enumerate(self.lines):
            if not line.strip() or COMMENT.match(line) or line.lstrip().startswith("#") or LABEL.match(line):
                shared = None
            if documented_by[at]:
                shared = documented_by[at]
            elif shared and self.begins[at] and self.ends[at - 1] and self.trailing[at] is None and not UNSHARED.match(line):
                indent = re.match(r"\s*", line)[0]
                out[at] = f"{indent}/** {escaped(' ' + shared).strip().replace('*/', '* /')} */ {line.lstrip()}"
            if self.opens[at] and not self.ends[at]:
                shared = None
            if self.trailing[at] is not None and self.ends[at] and not line.lstrip().startswith("}") and self.open_scope_behind(at):
                column = self.trailing[at]
                note = line[column + 2:].strip()
                if not note.startswith("NOLINT"):
                    note = re.sub(r"NOLINT\S*:?", "", note)
                    if not (documented_by[at] or out[at].lstrip().startswith("/**")):
                        out[at] = line[:column] + "///< " + escaped(" " + note).strip()
        return "\n".join(out)

    def open_scope_behind(self, at):
        return at + 1 >= len(self.lines) or self.open_scope[at + 1] or self.lines[at + 1].lstrip().startswith("}") or COMMENT.match(self.lines[at + 1]) is not None


if __name__ == "__main__":
    sys.stdout.write(Header(Path(sys.argv[1]).read_text(encoding="utf-8")).filtered())
