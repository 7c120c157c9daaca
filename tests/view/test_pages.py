# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page contains texts of its input only as data, and loads nothing."""

import base64
import hashlib
import html.parser
import json
import re

import command
from command import HOSTILE


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []
        self.attributes = []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attributes]


class Pages(command.ViewTest):
    def test_hostile_texts(self):
        text = (f"cohort: failure in kernel {HOSTILE} <<<(1,1,1), (32,1,1)>>>\n  {HOSTILE}\n"
                f"  thread (0,0,0) of block (0,0,0), at {HOSTILE}.cu:1 (f)\n")
        trace = json.dumps([{"ph": "X", "pid": HOSTILE, "tid": HOSTILE, "ts": 1, "dur": 2, "name": HOSTILE, "cat": HOSTILE,
                             "args": {HOSTILE: HOSTILE}}])
        for data in (text, trace, "cohort: " + HOSTILE + "\n"):
            content = self.content(data)
            self.assertIn(HOSTILE, json.dumps(content, ensure_ascii=False).replace('\\"', '"'))
            elements = Elements()
            elements.feed(self.page.read_text())
            self.assertEqual(elements.tags, ["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "header",
                                             "h1", "span", "main", "noscript", "p", "pre", "script", "script"])
            self.assertFalse([name for name in elements.attributes if name.startswith("on") or name in ("src", "href")])

    def test_policy_permits_the_scripts_of_the_page_only(self):
        self.content("cohort: note\n")
        page = self.page.read_text()
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotIn("http", policy)
        for tag in ("script", "style"):
            text = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.S)[1]
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            self.assertIn(f"{tag}-src 'sha256-{digest}'", policy)
            text = text.replace("http://www.w3.org/2000/svg", "")  # the XML namespace of SVG, which no browser loads
            self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?://")


command.main()
