# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the public headers with Doxygen: declarations with their comments, and what is undocumented."""

import collections
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree

# Folders and files of include/cohort whose declarations are public, unless they stand in a namespace `detail`.
PUBLIC = ("base", "group", "collective", "launch")
CUDA_HEADERS = ("cudart_detail", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_profiler_api.h", "cuda.h", "cudaProfiler.h")

SETTINGS = """
PROJECT_NAME           = Cohort
INPUT                  = {input}
EXCLUDE                = {exclude}
RECURSIVE              = YES
FILE_PATTERNS          = *.hpp *.h
OUTPUT_DIRECTORY       = {output}
GENERATE_HTML          = NO
GENERATE_LATEX         = NO
GENERATE_XML           = YES
XML_PROGRAMLISTING     = NO
EXTRACT_ALL            = YES
EXTRACT_STATIC         = YES
ENABLE_PREPROCESSING   = YES
MACRO_EXPANSION        = YES
EXPAND_ONLY_PREDEF     = YES
SEARCH_INCLUDES        = NO
PREDEFINED             = COHORT_FN= COHORT_ANY_SIDE= COHORT_HOST_DEVICE= COHORT_DEVICE= COHORT_INLINE= COHORT_KERNEL= \\
                         COHORT_CALLED_AT= COHORT_AND_CALLED_AT= \\
                         COHORT_CUDA_SOURCE=0 COHORT_DEFAULT(x)="= x" __cplusplus=201703L \\
                         "COHORT_TEXTURE_FUNCTION(a,b,c,d)=" "COHORT_CUBEMAP_FUNCTION(a,b,c,d)="
MARKDOWN_SUPPORT       = YES
AUTOLINK_SUPPORT       = NO
EXAMPLE_PATH           = {examples}
EXTENSION_MAPPING      = cu=C++ cuh=C++
QUIET                  = YES
WARNINGS               = YES
WARN_IF_UNDOCUMENTED   = NO
WARN_IF_DOC_ERROR      = YES
WARN_IF_INCOMPLETE_DOC = NO
WARN_FORMAT            = "$file:$line: $text"
"""
# Messages of Doxygen about correct sources.
HARMLESS = re.compile(r"potential recursive class relation|Found ';' while parsing initializer list|^\s*$")


class declaration:
    """A function, type, variable or enumeration value, with the XML of its comment."""

    def __init__(self, node, scope):
        self.node = node
        self.id = node.get("id")
        self.kind = node.get("kind")
        self.scope = scope  # the qualified name of the class or namespace around it
        self.name = node.findtext("name") or node.findtext("compoundname").rsplit("::", 1)[-1]
        place = node.find("location")
        self.file = place.get("file") if place is not None else ""
        self.line = int(place.get("line")) if place is not None else 0
        self.brief = node.find("briefdescription")
        self.details = node.find("detaileddescription")

    def is_documented(self):
        return any("".join(part.itertext()).strip() for part in (self.brief, self.details) if part is not None)

    def is_copied(self):
        """Special members that are defaulted or deleted state their meaning themselves."""
        arguments = self.node.findtext("argsstring") or ""
        return arguments.endswith(("=default", "=delete"))


class type_declaration(declaration):
    """A class, struct or union. `bases` holds the names of its public bases."""

    def __init__(self, node):
        full = node.findtext("compoundname")
        super().__init__(node, full.rsplit("::", 1)[0] if "::" in full else "")
        self.name = re.sub(r"^cohort::", "", full)
        self.full = full
        self.bases = [base.text for base in node.findall("basecompoundref") if base.get("prot") == "public"]
        self.members = [declaration(member, full) for member in node.iter("memberdef")
                        if member.get("prot") == "public" and not self.is_hidden(member)]

    @staticmethod
    def is_hidden(member):
        # A friend class is no member; a friend function with a body is.
        return member.get("kind") == "friend" and not member.findtext("argsstring")


def text_of(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def run(root, output):
    """Runs Doxygen; returns its complaints."""
    output.mkdir(parents=True, exist_ok=True)
    cudart = [root / "include/cudart" / name for name in CUDA_HEADERS]
    inputs = [root / "include/cohort", *(path for path in cudart if path.exists())]
    details = [path for path in (root / "include/cohort").rglob("detail") if path.is_dir()]
    # The folders that declarations take examples from; the whole checkout may hold build folders with dangling links.
    examples = " ".join(str(root / name) for name in ("examples", "tests") if (root / name).is_dir()) or root
    settings = SETTINGS.format(examples=examples, output=output, input=" ".join(f'"{path}"' for path in inputs),
                               exclude=" ".join(f'"{path}"' for path in [root / "include/cohort/machine", *details]))
    result = subprocess.run(["doxygen", "-"], input=settings, capture_output=True, text=True, check=False)
    complaints = [line.replace(f"{root}/", "") for line in result.stderr.splitlines() if not HARMLESS.search(line)]
    if result.returncode != 0:
        complaints.append(f"doxygen ended with status {result.returncode}")
    return complaints


class library:
    """All public declarations, by header."""

    def __init__(self, root, output):
        self.root = root
        self.types = {}
        self.functions = collections.defaultdict(list)  # header -> namespace members
        self.cuda = collections.defaultdict(list)       # name of a CUDA call -> declarations
        for path in sorted((output / "xml").glob("*.xml")):
            if path.name == "index.xml":
                continue
            for node in ElementTree.parse(path).getroot().findall("compounddef"):
                self.read(node)

    def read(self, node):
        name = node.findtext("compoundname")
        if node.get("kind") in ("class", "struct", "union"):
            self.types[name] = type_declaration(node)
        elif node.get("kind") == "namespace" and not is_internal(name):
            for member in node.iter("memberdef"):
                found = declaration(member, name)
                if found.kind != "typedef" or member.get("prot") == "public":
                    self.functions[self.header(found)].append(found)
        elif node.get("kind") == "file":
            for member in node.iter("memberdef"):
                if member.get("kind") == "function" and re.match(r"cu[A-Z]|cuda[A-Z]", member.findtext("name")):
                    self.cuda[member.findtext("name")].append(declaration(member, ""))

    def header(self, found):
        path = pathlib.Path(found.file)
        return (path if not path.is_absolute() else path.relative_to(self.root)).as_posix().removeprefix("include/")

    def headers(self):
        """(header, types, functions) of each header with public declarations, in the order of the sources."""
        by_header = collections.defaultdict(lambda: ([], []))
        for found in self.types.values():
            if not is_internal(found.full) and found.full.startswith("cohort::"):
                by_header[self.header(found)][0].append(found)
        for header, members in self.functions.items():
            by_header[header][1].extend(members)
        for header in sorted(by_header, key=order):
            types, functions = by_header[header]
            yield header, sorted(types, key=lambda t: t.line), sorted(functions, key=lambda f: f.line)

    def inherited(self, found):
        """(title, members) of the internal bases, nearest first; members that a nearer class has are left out."""
        seen = {member.name for member in found.members}
        for base in found.bases:
            yield from self.inherited_from(base, seen)

    def inherited_from(self, base, seen):
        bare = re.sub(r"\s*<.*", "", base)
        bare = bare if bare.startswith("cohort::") else "cohort::" + bare
        choices = [t for name, t in self.types.items() if re.sub(r"\s*<.*", "", name) == bare]
        choices = [t for t in choices if t.members or t.bases] or choices
        for choice in sorted(choices, key=lambda t: t.line):
            own = set(seen)
            members = [member for member in choice.members if member.name not in seen]
            own |= {member.name for member in members}
            if members:
                yield choice, members
            for further in choice.bases:
                yield from self.inherited_from(further, own)

    def undocumented(self):
        """(file, line, name) of each public declaration without a comment."""
        found = set()
        for header, types, functions in self.headers():
            for item in types:
                if not item.is_documented():
                    found.add((header, item.line, item.name))
                found |= self.bare_members(item.members, item.name)
                for base, members in self.inherited(item):
                    if is_internal(base.full):
                        found |= self.bare_members(members, base.name)
            found |= self.bare_members(functions, "")
        return sorted(found)

    def bare_members(self, members, scope):
        found = set()
        for member in members:
            if not member.is_documented() and not member.is_copied():
                found.add((self.header(member), member.line, f"{scope}::{member.name}" if scope else member.name))
        return found


def is_internal(name):
    return any(part.split("<")[0].strip() == "detail" for part in name.split("::"))


def order(header):
    """The root headers first, then group, collective, launch, base."""
    parts = header.split("/")
    rank = {"group": 1, "collective": 2, "launch": 3, "base": 4}
    return (0 if len(parts) == 2 else rank.get(parts[1], 5), header)
