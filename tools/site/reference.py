# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of the API reference: one for each public header, an index, and the list of CUDA calls."""

import html
import posixpath
import re

import doxygen
import markdown
from comment import writer
from highlight import CPP, marked

GROUPS = [("", "Headers to include"), ("group", "Groups"), ("collective", "Collectives"), ("launch", "Launches"),
          ("base", "Words: shapes, masks, scopes")]


def clean(text):
    """Doxygen writes `a< b >` and `T &`; the sources write `a<b>` and `T&`."""
    text = re.sub(r"<\s+", "<", re.sub(r"\s+>", ">", text))
    text = re.sub(r"\s+([&*]+)", r"\1 ", text)
    return re.sub(r"\s{2,}", " ", re.sub(r"([&*]) ([,)&*]|\.\.\.)", r"\1\2", text)).strip()


def template(node):
    parts = []
    for parameter in node.findall("templateparamlist/param"):
        text = doxygen.text_of(parameter.find("type"))
        name = parameter.findtext("declname")
        text += f" {name}" if name else ""
        default = doxygen.text_of(parameter.find("defval"))
        parts.append(text + (f" = {default}" if default else ""))
    return clean(f"template <{', '.join(parts)}>") if node.find("templateparamlist") is not None else ""


def wrapped(head, arguments):
    """The head and the arguments, each on a line of its own if they do not fit into one."""
    if len(head.rsplit("\n", 1)[-1]) + len(arguments) <= 96 or ", " not in arguments:
        return head + arguments
    depth, parts, last = 0, [], 0
    for at, letter in enumerate(arguments):
        depth += letter in "(<[" and 1 or (letter in ")>]" and -1 or 0)
        if letter == "," and depth == 1:
            parts.append(arguments[last:at + 1].strip())
            last = at + 1
    parts.append(arguments[last:].strip())
    return head + ("\n" + " " * (len(head.rsplit("\n", 1)[-1]) + 1)).join(parts)


def signature(member):
    node = member.node
    kind = doxygen.text_of(node.find("type"))
    if member.kind == "typedef":
        return clean(f"{template(node)} using {member.name} = {kind}".strip()) + ";"
    if member.kind == "enum":
        values = []
        for value in node.findall("enumvalue"):
            values.append(f"  {value.findtext('name')} {doxygen.text_of(value.find('initializer'))}".rstrip() + ",")
        return f"enum {member.name} {{\n" + "\n".join(values) + "\n};"
    words = [] if node.get("static") != "yes" or kind.startswith("static") else ["static"]
    words += ["explicit"] if node.get("explicit") == "yes" and "explicit" not in kind else []
    head = clean(" ".join([*words, kind, member.name]))
    if template(node):
        head = template(node) + "\n" + head
    if member.kind == "variable":
        value = doxygen.text_of(node.find("initializer"))
        return head + (f" {value}" if value and len(value) < 60 else "") + ";"
    return wrapped(head, clean(node.findtext("argsstring") or "")) + ";"


class reference:
    """`pages` maps the path of a page in the site to (title, HTML, [(level, text, anchor)])."""

    def __init__(self, lib, root):
        self.lib, self.root = lib, root
        self.pages = {}
        self.entries = []  # (name, href, kind) of each entry of the search
        self.anchors = {}  # Doxygen id -> (page, anchor)
        self.headers = list(lib.headers())
        self.here = ""
        self.write = writer(self.target, lambda page: posixpath.relpath(page, posixpath.dirname(self.here)))
        for header, types, functions in self.headers:
            self.place(header, types, functions)

    @staticmethod
    def page_of(header):
        return "api/" + re.sub(r"^cohort/|\.hpp$", "", header) + ".html"

    def place(self, header, types, functions):
        page, used = self.page_of(header), {}

        def anchor(item, name):
            name = re.sub(r"\W+", "-", name).strip("-") or "operator"
            used[name] = used.get(name, 0) + 1
            self.anchors.setdefault(item.id, (page, name if used[name] == 1 else f"{name}-{used[name]}"))

        for item in types:
            anchor(item, item.name)
            inner = [m for base, more in self.lib.inherited(item) if doxygen.is_internal(base.full) for m in more]
            for member in [*item.members, *inner]:
                anchor(member, f"{item.name}-{member.name}")
        for item in functions:
            anchor(item, item.name)

    def target(self, identifier):
        found = self.anchors.get(identifier)
        return posixpath.relpath(found[0], posixpath.dirname(self.here)) + "#" + found[1] if found else None

    def build(self):
        for header, types, functions in self.headers:
            self.here = self.page_of(header)
            self.headings = []
            title = header.removeprefix("cohort/")
            body = [f"<h1><code>{html.escape(title)}</code></h1>", self.introduction(header),
                    f'<pre><code>#include &lt;{html.escape(header)}&gt;</code></pre>']
            body += [self.type_section(item) for item in types]
            body += self.member_sections(functions, 2, "")
            self.pages[self.here] = (title, "\n".join(body), self.headings)
        self.index()

    def introduction(self, header):
        """The comment at the top of the header."""
        lines = (self.root / "include" / header).read_text().split("\n")
        taken = []
        for line in lines[1:]:
            if not line.startswith("//"):
                break
            text = line.lstrip("/").removeprefix(" ")
            taken.append("  " + text if text.startswith("  ") else text)  # an indented line is code
        made = markdown.renderer(lambda link: link)
        return made.render("\n".join(taken))

    def note(self, name, href_item, what):
        page, anchor = self.anchors[href_item.id]
        self.entries.append((name, f"{page}#{anchor}", what))

    def heading(self, level, text, item):
        anchor = self.anchors[item.id][1]
        self.headings.append((level, text, anchor))
        link = f'<a class="anchor" href="#{anchor}" aria-label="link to this section">#</a>'
        return f'<h{level} id="{anchor}"><code>{html.escape(text)}</code>{link}</h{level}>'

    def described(self, member):
        return "\n".join([self.write.text(member.brief), self.write.text(member.details), self.values(member)])

    def values(self, member):
        rows = "".join(f"<tr><td><code>{value.findtext('name')}</code></td>"
                       f"<td>{self.write.text(value.find('briefdescription'))}"
                       f"{self.write.text(value.find('detaileddescription'))}</td></tr>"
                       for value in member.node.findall("enumvalue"))
        return f'<table class="plain">{rows}</table>' if rows else ""

    def type_section(self, item):
        self.note(item.name, item, item.kind)
        head = clean(" ".join(filter(None, [template(item.node), item.kind, item.name])))
        bases = [base for base in item.bases if not doxygen.is_internal(base)]
        head += " : " + clean(", ".join(bases)).replace("cohort::", "") if bases else ""
        parts = [self.heading(2, clean(item.name), item), f"<pre><code>{marked(head, CPP)};</code></pre>",
                 self.write.text(item.brief), self.write.text(item.details)]
        parts += self.member_sections(item.members, 3, item.name)
        for base, members in self.lib.inherited(item):
            if doxygen.is_internal(base.full):
                parts.append(f'<div class="base">{self.write.text(base.brief)}</div>')
                parts += self.member_sections(members, 3, item.name)
            else:
                names = ", ".join(f'<a href="{self.target(member.id)}"><code>{html.escape(member.name)}</code></a>'
                                  for member in members if self.target(member.id))
                parts.append(f"<p>From <code>{html.escape(clean(base.name))}</code>: {names}</p>")
        return '<section class="type">' + "\n".join(parts) + "</section>"

    def member_sections(self, members, level, scope):
        """Overloads of one name stand together."""
        by_name = {}
        for member in members:
            by_name.setdefault(member.name, []).append(member)
        for name, overloads in by_name.items():
            first = overloads[0]
            self.note(f"{scope}::{name}" if scope else name, first, first.kind)
            parts = [self.heading(level, name, first)]
            for member in overloads:
                anchor = f' id="{self.anchors[member.id][1]}"' if member is not first else ""
                parts += [f"<pre{anchor}><code>{marked(signature(member), CPP)}</code></pre>", self.described(member)]
            yield '<section class="member">' + "\n".join(parts) + "</section>"

    def index(self):
        parts = ["<h1>API reference</h1>",
                 "<p>Every public declaration of <code>include/cohort</code>, by header. In a CUDA source "
                 "<code>&lt;cooperative_groups.h&gt;</code> gives the same types and functions in namespace "
                 "<code>cooperative_groups</code>. <code>&lt;cohort/cohort.hpp&gt;</code> includes all headers that kernels "
                 "use; launches have a header of their own.</p>"]
        headings = []
        for folder, title in GROUPS:
            anchor = folder or "root"
            headings.append((2, title, anchor))
            parts.append(f'<h2 id="{anchor}">{title}</h2>')
            rows = []
            for header, types, functions in self.headers:
                inner = header.removeprefix("cohort/")
                if (inner.split("/")[0] if "/" in inner else "") != folder:
                    continue
                names = list(dict.fromkeys([*(clean(item.name) for item in types), *(f.name for f in functions)]))
                firsts = {clean(item.name): item for item in types} | {f.name: f for f in reversed(functions)}
                links = ", ".join('<a href="{}#{}"><code>{}</code></a>'.format(
                    posixpath.relpath(self.anchors[firsts[name].id][0], "api"), self.anchors[firsts[name].id][1],
                    html.escape(name)) for name in names)
                page = posixpath.relpath(self.page_of(header), "api")
                rows.append(f'<tr><td><a href="{page}"><code>{inner}</code></a></td><td>{links}</td></tr>')
            parts.append(f'<div class="table"><table><tbody>{"".join(rows)}</tbody></table></div>')
        parts.append('<h2 id="cuda">CUDA calls</h2><p><a href="cuda.html">The CUDA runtime and driver calls</a> of the '
                     "CPU, with their prototypes.</p>")
        headings.append((2, "CUDA calls", "cuda"))
        self.pages["api/index.html"] = ("API reference", "\n".join(parts), headings)

    def cuda_calls(self, page, text):
        """The calls that a page of the documentation lists in tables, with their prototypes. Returns those without."""
        lacking, parts, headings, seen = [], [], [], set()
        link = posixpath.relpath(page, "api")
        self.here = "api/cuda.html"
        parts.append(f'<h1>CUDA runtime and driver calls</h1><p>Prototypes of the calls that '
                     f'<a href="{link}">this page</a> describes. Their rules are those of the CUDA documentation.</p>')
        text = re.sub(r"^## What is missing[^\n]*\n.*?(?=^## |\Z)", "", text, flags=re.M | re.S)
        for row in re.findall(r"^\| ([^|]+) \| (.*`cu.*) \|$", text, re.M):
            names = [name for name in re.findall(r"`(cu\w+)`", row[1]) if name not in seen]
            if not names:
                continue
            anchor = f"{markdown.slug(row[0])}-{len(headings)}"
            title = row[0] + (" (driver)" if re.match(r"cu[A-Z]", names[0]) else "")
            headings.append((2, title, anchor))
            parts.append(f'<h2 id="{anchor}">{html.escape(title)}</h2>')
            for name in names:
                seen.add(name)
                found = self.lib.cuda.get(name)
                if not found:
                    lacking.append(name)
                    continue
                code = "\n".join(dict.fromkeys(signature(item) for item in found))
                comments = "".join(self.described(item) for item in found)
                parts.append(f'<pre id="{name}"><code>{marked(code, CPP)}</code></pre>{comments}')
                self.entries.append((name, f"api/cuda.html#{name}", "CUDA call"))
        self.pages["api/cuda.html"] = ("CUDA calls", "\n".join(parts), headings)
        return lacking
