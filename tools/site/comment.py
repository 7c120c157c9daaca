# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doxygen's XML of one comment to HTML."""

import html
import re
import textwrap
import xml.etree.ElementTree as ElementTree

from highlight import highlighted

SIMPLE = {"bold": "strong", "emphasis": "em", "computeroutput": "code", "subscript": "sub", "superscript": "sup",
          "blockquote": "blockquote", "itemizedlist": "ul", "orderedlist": "ol", "listitem": "li", "strike": "s"}
SIGNS = {"ndash": "&ndash;", "mdash": "&mdash;", "nonbreakablespace": "&nbsp;", "linebreak": "<br>", "hruler": "<hr>",
         "sp": " ", "lsquo": "&lsquo;", "rsquo": "&rsquo;", "times": "&times;"}
SECTIONS = {"return": "Returns", "pre": "Precondition", "post": "Postcondition", "see": "See also", "note": "Note",
            "warning": "Warning", "attention": "Attention", "remark": "Remark", "par": "", "since": "Since",
            "invariant": "Invariant", "author": "", "version": "", "date": "", "copyright": "", "rcs": ""}
PARAMETERS = {"param": "Parameters", "templateparam": "Template parameters", "exception": "Errors", "retval": "Values"}
BLOCKS = ("<pre", "<ul", "<ol", "<dl", "<div", "<blockquote", "<section")


class writer:
    """Turns comments into HTML. `target` returns the href of a Doxygen id, or None; `page` that of a page of the site.
    """

    def __init__(self, target, page):
        self.target, self.page = target, page

    def plain(self, text):
        """Text in which the names of pages in docs/ are links."""
        return re.sub(r"\bdocs/([\w/-]+)\.md\b", lambda found: f'<a href="{self.page(f"docs/{found.group(1)}.html")}">'
                      f"{found.group(0)}</a>", html.escape(text or "", False))

    def inside(self, node):
        parts = [self.plain(node.text)]
        for child in node:
            parts += [self.one(child), self.plain(child.tail)]
        return "".join(parts)

    def text(self, node):
        """The whole of a description."""
        return "\n".join(self.one(child) for child in node) if node is not None else ""

    def one(self, node):
        tag = node.tag
        if tag == "para":
            return self.paragraph(node)
        if tag in SIGNS:
            return SIGNS[tag]
        if tag in SIMPLE:
            return f"<{SIMPLE[tag]}>{self.inside(node)}</{SIMPLE[tag]}>"
        if tag == "ref":
            href = self.target(node.get("refid"))
            return f'<a href="{href}">{self.inside(node)}</a>' if href else self.inside(node)
        if tag == "ulink":
            return f'<a href="{html.escape(node.get("url"))}">{self.inside(node)}</a>'
        if tag == "programlisting":
            lines = ["".join(" " if part.tag == "sp" else part.text or "" for part in self.flat(line))
                     for line in node.findall("codeline")]
            return f'<div class="example">Example{highlighted(textwrap.dedent(chr(10).join(lines)).strip(chr(10)), "cpp")}</div>'
        if tag in ("verbatim", "preformatted"):
            return highlighted("".join(node.itertext()).strip("\n"), "")
        if tag == "simplesect":
            title = self.inside(node.find("title")) if node.find("title") is not None else SECTIONS[node.get("kind")]
            body = "".join(self.one(child) for child in node if child.tag != "title")
            return self.before_examples(f"<dl><dt>{title}</dt><dd>{body}</dd></dl>")
        if tag == "parameterlist":
            return self.parameters(node)
        if tag == "table":
            rows = "".join("<tr>" + "".join(self.cell(entry) for entry in row) + "</tr>" for row in node.findall("row"))
            return f'<div class="table"><table>{rows}</table></div>'
        return self.inside(node)

    def cell(self, entry):
        tag = "th" if entry.get("thead") == "yes" else "td"
        return f"<{tag}>{self.inside(entry)}</{tag}>"

    def flat(self, node):
        """Splits a line of code into elements with text and `sp` elements for spaces. Text after a child becomes an
        element, too."""
        def piece(text):
            made = ElementTree.Element("piece")
            made.text = text
            return made

        if node.tag == "sp":
            yield node
        elif node.text:
            yield piece(node.text)
        for child in node:
            yield from self.flat(child)
            if child.tail:
                yield piece(child.tail)

    def paragraph(self, node):
        """Blocks cannot stand inside <p>: the text before, between and after them is wrapped by itself."""
        parts, run = [], [self.plain(node.text)]

        def close():
            text = "".join(run).strip()
            if text:
                parts.append(f"<p>{text}</p>")
            run.clear()

        for child in node:
            made = self.one(child)
            if made.startswith(BLOCKS):
                close()
                parts.append(made)
            else:
                run.append(made)
            run.append(self.plain(child.tail))
        close()
        return "\n".join(parts)

    def parameters(self, node):
        rows = []
        for item in node.findall("parameteritem"):
            names = ", ".join(f"<code>{html.escape(''.join(name.itertext()), False)}</code>"
                              for name in item.iter("parametername"))
            rows.append(f"<tr><td>{names}</td><td>{self.text(item.find('parameterdescription'))}</td></tr>")
        return self.before_examples(f"<dl><dt>{PARAMETERS[node.get('kind')]}</dt>"
                                    f'<dd><table class="plain">{"".join(rows)}</table></dd></dl>')

    @staticmethod
    def before_examples(made):
        """Doxygen puts a @snippet into the section before it; it belongs after that."""
        pattern = re.compile(r'<div class="example">.*?</pre></div>', re.S)
        return pattern.sub("", made) + "".join(pattern.findall(made))
