# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site around its pages: navigation, links between pages and to sources, search, and the check of all links."""

import html
import html.parser
import json
import pathlib
import posixpath
import re
import shutil
import urllib.parse

import markdown
from highlight import highlighted

ASSETS = ("style.css", "site.js")
PROJECT = ("HACKING.md", "CONTRIBUTING.md", "tests/README.md", "CHANGES.md")
CODE = (".hpp", ".cpp", ".h", ".cu", ".cuh", ".S")

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{base}style.css">
<script>const siteBase = "{base}";</script>
<script defer src="{base}search_index.js"></script>
<script defer src="{base}site.js"></script>
</head>
<body>
<header><button id="menu" aria-label="Navigation">&#9776;</button><a class="name" href="{base}index.html">Cohort</a>
<div class="search"><input id="search" type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off">
<ul id="results"></ul></div></header>
<div class="columns">
<nav>{navigation}</nav>
<main>{body}</main>
<aside>{contents}</aside>
</div>
</body>
</html>
"""


class site:
    def __init__(self, root, output):
        self.root, self.output = root, output
        self.pages = {}      # path in the site -> (title, body, headings)
        self.entries = []    # entries of the search
        self.sections = []   # sections of the navigation: (title, [(text, path)])
        self.sources = set()

    @staticmethod
    def page_of(path):
        """Where a Markdown file of the checkout lies in the site."""
        folder, name = posixpath.split(path)
        name = "index.html" if name == "README.md" else name[:-3] + ".html"
        return posixpath.join(folder, name)

    def markdown_files(self):
        names = [*PROJECT, "README.md", "SECURITY.md"]
        yield from (name for name in names if (self.root / name).is_file())
        for pattern in ("docs/**/*.md", "examples/**/README.md"):
            yield from sorted(path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))

    def add_guides(self):
        texts = {path: (self.root / path).read_text() for path in self.markdown_files()}
        for path, text in texts.items():
            made = markdown.renderer(lambda link, page=path: self.link(page, link))
            body = made.render(text)
            self.pages[self.page_of(path)] = (made.title or path, body, made.headings)
            for level, heading, anchor in made.headings:
                if level <= 3:
                    what = "page" if level == 1 else made.title
                    self.entries.append((heading, self.page_of(path) + ("" if level == 1 else f"#{anchor}"), what))
        doors = self.doors(texts["docs/README.md"])
        listed = {path for _, paths in doors for path in paths}
        project = [path for path in [*PROJECT, "SECURITY.md"] if path in texts and path not in listed]
        examples = sorted(path for path in texts if path.startswith("examples/"))
        sections = [("", ["README.md", "docs/README.md"]),
                    *((title, [path for path in paths if path in texts and path != "README.md"]) for title, paths in doors),
                    ("Project", project), ("Examples", examples)]
        self.sections = [(title, [(self.pages[self.page_of(path)][0], self.page_of(path)) for path in paths])
                         for title, paths in sections if paths]

    @staticmethod
    def doors(text):
        """The sections of docs/README.md: [(title, [page])], with the pages of their tables."""
        parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
        return [(title, [posixpath.normpath(posixpath.join("docs", link)) for link in
                         re.findall(r"^\| \[[^\]]*\]\(([^)\s#]+\.md)\)", body, re.MULTILINE)])
                for title, body in zip(parts[1::2], parts[2::2])]

    def unlisted(self):
        """A finding for each page of docs/ that is not in exactly one door of docs/README.md."""
        listed = [path for _, paths in self.doors((self.root / "docs/README.md").read_text()) for path in paths]
        pages = [path for path in self.markdown_files() if path.startswith("docs/") and path != "docs/README.md"]
        return [f"{path}: docs/README.md does not list this page" for path in pages if path not in listed] \
            + [f"{path}: docs/README.md lists this page in {listed.count(path)} places" for path in dict.fromkeys(listed)
               if listed.count(path) > 1]

    def link(self, page, target):
        """The href in the site of a link in a Markdown file; what is no page becomes a page with the file's text."""
        if re.match(r"[a-z][a-z+.-]*:", target) or target.startswith("#"):
            return target
        path, _, fragment = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        place = self.root / path
        if path.startswith("build/docs"):
            there = posixpath.relpath(path, "build/docs")
        elif place.is_dir() and (place / "README.md").is_file():
            there = self.page_of(path + "/README.md")
        elif path.endswith(".md") and place.is_file():
            there = self.page_of(path)
        elif place.suffix in (".svg", ".png") and place.is_file():
            there = path
            self.copy(place, path)
        elif place.exists():
            there = f"source/{path}.html"
            self.sources.add(path)
        else:
            there = path  # the check of links reports this target
        start = posixpath.dirname(self.page_of(page))
        return posixpath.relpath(there, start or ".") + (f"#{fragment}" if fragment else "")

    def copy(self, place, path):
        target = self.output / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, target)

    def add_reference(self, api):
        self.pages.update(api.pages)
        self.entries += api.entries
        items = [("Overview", "api/index.html")]
        items += [(header.removeprefix("cohort/"), api.page_of(header)) for header, _, _ in api.headers]
        at = 1 + next((at for at, (title, _) in enumerate(self.sections) if title == "Look up"), len(self.sections) - 1)
        self.sections.insert(at, ("API reference", [*items, ("CUDA calls", "api/cuda.html")]))

    def add_sources(self):
        for path in sorted(self.sources):
            place = self.root / path
            if place.is_dir():
                names = sorted(child.name + ("/" if child.is_dir() else "") for child in place.iterdir())
                body = "<ul>" + "".join(f"<li><code>{html.escape(name)}</code></li>" for name in names) + "</ul>"
            else:
                body = highlighted(place.read_text(), "cpp" if place.suffix in CODE else "")
            self.pages[f"source/{path}.html"] = (path, f"<h1><code>{html.escape(path)}</code></h1>{body}", [])

    def navigation(self, here):
        parts = []
        for title, items in self.sections:
            inside = any(path == here for _, path in items)
            links = "".join('<li><a{} href="{}">{}</a></li>'.format(
                ' class="here" aria-current="page"' if path == here else "",
                posixpath.relpath(path, posixpath.dirname(here) or "."), html.escape(text)) for text, path in items)
            folded = title in ("Examples", "API reference") and not inside
            parts.append(f"<ul>{links}</ul>" if not title else
                         f"<details{'' if folded else ' open'}><summary>{title}</summary><ul>{links}</ul></details>")
        return "\n".join(parts)

    @staticmethod
    def contents(headings):
        shown = [(level, text, anchor) for level, text, anchor in headings if level in (2, 3)]
        if len(shown) < 3:
            return ""
        return '<p>On this page</p><ul>' + "".join(
            f'<li class="level{level}"><a href="#{anchor}">{html.escape(text)}</a></li>'
            for level, text, anchor in shown) + "</ul>"

    def write(self):
        self.output.mkdir(parents=True, exist_ok=True)
        self.add_sources()
        for path, (title, body, headings) in self.pages.items():
            base = posixpath.relpath(".", posixpath.dirname(path) or ".") + "/"
            shown = title if title == "Cohort" else f"{title} - Cohort"
            text = TEMPLATE.format(title=html.escape(shown), base="" if base == "./" else base,
                                   navigation=self.navigation(path), body=body, contents=self.contents(headings))
            target = self.output / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        here = pathlib.Path(__file__).resolve().parent
        for name in ASSETS:
            shutil.copyfile(here / name, self.output / name)
        (self.output / "search_index.js").write_text("const searchIndex = " + json.dumps(self.entries) + ";\n")


class page_reader(html.parser.HTMLParser):
    """The anchors of a page and what it links to."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.append(value)
            elif name == "srcset":
                self.links += [part.split()[0] for part in value.split(",")]


def dead_links(output):
    """One sentence for each link inside the site that leads nowhere."""
    files = {path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file()}
    read = {name: page_reader((output / name).read_text()) for name in sorted(files) if name.endswith(".html")}
    found = []
    for name, page in read.items():
        for link in page.links:
            if re.match(r"[a-z][a-z+.-]*:", link):
                continue
            path, _, fragment = urllib.parse.unquote(link).partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if target not in files:
                found.append(f"{name}: dead link to {link}")
            elif fragment and target in read and fragment not in read[target].anchors:
                found.append(f"{name}: dead link to {link}: the page has no such section")
    return sorted(set(found))
