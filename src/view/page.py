# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page: one file without outside parts. All texts of the input reach it as JSON data, which scripts show as text."""

import base64
import hashlib
import html
import json
import pathlib
import string

TEMPLATE = pathlib.Path(__file__).resolve().parent / "template"
SCRIPTS = ["elements.js", "block.js", "order.js", "counters.js", "report.js", "timeline.js", "timeline_view.js", "start.js"]


def source_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def data_text(value):
    """JSON that neither ends its script element nor begins a comment in it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def build(content, name):
    style = (TEMPLATE / "page.css").read_text()
    script = "\n".join((TEMPLATE / file).read_text() for file in SCRIPTS)
    policy = (f"default-src 'none'; script-src {source_hash(script)}; style-src {source_hash(style)}; base-uri 'none'; "
              "form-action 'none'")
    texts = [part["text"] for part in [*content["reports"], content["counts"]] if part]
    plain = "\n".join(texts) or "The timeline needs JavaScript."
    return string.Template((TEMPLATE / "page.html").read_text()).substitute(
        policy=policy, style=style, script=script, title=html.escape(name), plain=html.escape(plain), data=data_text(content))
