# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Markdown to HTML: the part of the language that the pages of this project use, with the anchors that GitHub makes.

Headings, paragraphs, fenced and indented code, tables, nested lists, block quotes, comments, raw HTML blocks; in a
line: code, bold, italics, links, pictures."""

import html
import re

from highlight import highlighted

FENCE = re.compile(r"^```\s*(\S*)\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+(.*)$")
TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{3,}.*$")
RAW = re.compile(r"^</?(?:picture|source|img|p|a|div|br|details|summary)\b")
INLINE = re.compile(r"(`+)(.+?)\1|!\[([^\]]*)\]\(([^)\s]+)\)|\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)"
                    r"|\*\*(.+?)\*\*|\*(\S(?:.*?\S)?)\*|<(https?://[^>]+)>")


def plain(text):
    """The text of a heading without its marks."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[`*]", "", text)


def slug(text):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", plain(text).lower()).replace(" ", "-")


def inline(text, link):
    """One run of text; `link` turns a target as written into the href of the site."""
    def one(match):
        ticks, code, picture, source, label, target, bold, italic, url = match.groups()
        if ticks:
            return f"<code>{html.escape(code.strip(), False)}</code>"
        if source is not None:
            return f'<img src="{html.escape(link(source))}" alt="{html.escape(picture)}">'
        if target is not None:
            return f'<a href="{html.escape(link(target))}">{inline(label, link)}</a>'
        if bold is not None:
            return f"<strong>{inline(bold, link)}</strong>"
        if italic is not None:
            return f"<em>{inline(italic, link)}</em>"
        return f'<a href="{html.escape(url)}">{html.escape(url)}</a>'

    parts, end = [], 0
    for match in INLINE.finditer(text):
        parts += [html.escape(text[end:match.start()], False), one(match)]
        end = match.end()
    return "".join(parts + [html.escape(text[end:], False)])


def cells(line):
    line = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", line)]


class renderer:
    """One page. After render(), `title` is its first heading and `headings` lists (level, text, anchor)."""

    def __init__(self, link):
        self.link = link
        self.title = None
        self.headings = []
        self.anchors = {}

    def render(self, text):
        return self.blocks(re.sub(r"<!--.*?-->\n?", "", text, flags=re.S).split("\n"))

    def blocks(self, lines):
        out, at = [], 0
        while at < len(lines):
            line = lines[at]
            for kind in (self.fence, self.heading, self.table, self.items, self.indented, self.quote, self.raw):
                taken, made = kind(lines, at)
                if taken:
                    out.append(made)
                    at += taken
                    break
            else:
                end = at
                while end < len(lines) and lines[end].strip() and not (end > at and self.interrupts(lines[end])):
                    end += 1
                if end > at:
                    joined = " ".join(part.strip() for part in lines[at:end])
                    out.append(f"<p>{inline(joined, self.link)}</p>")
                at = max(end, at + 1) if line.strip() else at + 1
        return "\n".join(out)

    @staticmethod
    def interrupts(line):
        return FENCE.match(line) or HEADING.match(line) or ITEM.match(line) or line.startswith(("|", ">"))

    def fence(self, lines, at):
        start = FENCE.match(lines[at])
        if not start:
            return 0, ""
        end = at + 1
        while end < len(lines) and not FENCE.match(lines[end]):
            end += 1
        return end + 1 - at, highlighted("\n".join(lines[at + 1:end]), start.group(1))

    def heading(self, lines, at):
        found = HEADING.match(lines[at])
        if not found:
            return 0, ""
        level, text = len(found.group(1)), found.group(2)
        anchor = slug(text)
        count = self.anchors.get(anchor, 0)
        self.anchors[anchor] = count + 1
        if count:
            anchor += f"-{count}"
        if self.title is None:
            self.title = plain(text)
        self.headings.append((level, plain(text), anchor))
        mark = f'<a class="anchor" href="#{anchor}" aria-label="link to this section">#</a>' if level > 1 else ""
        return 1, f'<h{level} id="{anchor}">{inline(text, self.link)}{mark}</h{level}>'

    def table(self, lines, at):
        if at + 1 >= len(lines) or "|" not in lines[at] or not TABLE_RULE.match(lines[at + 1]):
            return 0, ""
        end = at + 2
        while end < len(lines) and lines[end].strip().startswith("|"):
            end += 1
        head = "".join(f"<th>{inline(cell, self.link)}</th>" for cell in cells(lines[at]))
        rows = "\n".join("<tr>" + "".join(f"<td>{inline(cell, self.link)}</td>" for cell in cells(line)) + "</tr>"
                         for line in lines[at + 2:end])
        made = f'<div class="table"><table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div>'
        return end - at, made

    def items(self, lines, at):
        first = ITEM.match(lines[at])
        if not first:
            return 0, ""
        margin, ordered = len(first.group(1)), first.group(2)[0].isdigit()
        inner, items, end = margin + len(first.group(2)) + 1, [], at
        while end < len(lines):
            found = ITEM.match(lines[end])
            if found and len(found.group(1)) == margin and found.group(2)[0].isdigit() == ordered:
                items.append([found.group(3)])
            elif lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > margin:
                items[-1].append(lines[end][min(inner, len(lines[end]) - len(lines[end].lstrip())):])
            elif not lines[end].strip() and self.goes_on(lines, end, margin):
                items[-1].append("")
            else:
                break
            end += 1
        tag = "ol" if ordered else "ul"
        made = "\n".join(f"<li>{self.item(item)}</li>" for item in items)
        return end - at, f"<{tag}>\n{made}\n</{tag}>"

    def item(self, lines):
        made = self.blocks(lines)
        return made[3:-4] if made.count("<p>") == 1 and made.startswith("<p>") and made.endswith("</p>") else made

    @staticmethod
    def goes_on(lines, at, margin):
        following = next((line for line in lines[at:] if line.strip()), "")
        found = ITEM.match(following)
        return bool(found and len(found.group(1)) >= margin) or following.startswith(" " * (margin + 2))

    def indented(self, lines, at):
        if not lines[at].startswith("    "):
            return 0, ""
        end = at
        while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
            end += 1
        code = "\n".join(line[4:] for line in lines[at:end]).rstrip()
        return end - at, highlighted(code, "")

    def quote(self, lines, at):
        end = at
        while end < len(lines) and lines[end].startswith(">"):
            end += 1
        if end == at:
            return 0, ""
        inside = self.blocks([line[1:].removeprefix(" ") for line in lines[at:end]])
        return end - at, f"<blockquote>{inside}</blockquote>"

    def raw(self, lines, at):
        if not RAW.match(lines[at]):
            return 0, ""
        end = at
        while end < len(lines) and lines[end].strip():
            end += 1
        text = "\n".join(lines[at:end])
        text = re.sub(r'\b(src|srcset|href)="([^"]+)"',
                      lambda found: f'{found.group(1)}="{html.escape(self.link(found.group(2)))}"', text)
        return end - at, text
