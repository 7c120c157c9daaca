# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests on small trees that the builder of the documentation site reports errors:  site_test.py ROOT

Exit status 77 without Doxygen."""

import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools/site"))

import build_site  # noqa: E402
import markdown  # noqa: E402

HEADER = """// SPDX
// Something about groups.
#pragma once
namespace cohort {
namespace detail {
/// A base that is not public.
struct base { void inherited() const; };
}
/// A group.
/// @snippet examples/one/one.cu made
class group : public detail::base {
 public:
  /// The rank of the caller.
  unsigned rank() const;
 private:
  int hidden_;
};
/// Makes a group.
group make(int size);
}
"""
GOOD = {
    "README.md": "# Cohort\n\nSee [the guide](docs/guide.md#the-second-part).\n",
    "docs/README.md": "# Documentation\n\n## Do\n\n| page |\n| --- |\n| [guide.md](guide.md) |\n\n## Look up\n\n"
                      "| page |\n| --- |\n| [cuda-runtime.md](cuda-runtime.md) |\n",
    "docs/guide.md": "# Guide\n\n## The second part\n\nA [source](../include/cohort/group/group.hpp).\n",
    "docs/cuda-runtime.md": "# CUDA\n\n| memory | `cudaFree` |\n",
    "include/cohort/group/group.hpp": HEADER.replace("void inherited", "/// Public in each group.\n  void inherited"),
    "include/cudart/cuda_runtime.h": "int cudaFree(void* pointer);\n",
    "examples/one/one.cu": "//! [made]\nauto g = make();\n//! [made]\n",
}
# A changed file, and the message that it must cause.
BAD = [
    ("include/cohort/group/group.hpp", HEADER, "base::inherited has no comment"),
    ("include/cohort/group/group.hpp", GOOD["include/cohort/group/group.hpp"].replace("/// Makes", "// Makes"),
     "make has no comment"),
    ("include/cohort/group/group.hpp", GOOD["include/cohort/group/group.hpp"].replace("/// A group", "// A group")
     .replace("/// @snippet", "// @snippet"), "group has no comment"),
    ("include/cohort/group/group.hpp", GOOD["include/cohort/group/group.hpp"].replace("one.cu made", "one.cu lost"),
     "lost"),
    ("include/cohort/group/group.hpp",
     GOOD["include/cohort/group/group.hpp"].replace("/// Makes a group.", "/// Makes a group.\n/// @param no Nothing."),
     "argument 'no'"),
    ("docs/guide.md", "# Guide\n", "the page has no such section"),
    ("docs/guide.md", GOOD["docs/guide.md"] + "[gone](gone.md)\n", "dead link to gone.md"),
    ("docs/other.md", "# Other\n", "docs/README.md does not list this page"),
    ("docs/README.md", GOOD["docs/README.md"] + "| [guide.md](guide.md) |\n", "lists this page in 2 places"),
    ("docs/cuda-runtime.md", "# CUDA\n\n| memory | `cudaFree` `cudaLost` |\n", "cudaLost has no prototype"),
]
MARKDOWN = [
    ("a `b < c` **d** *e*", "<p>a <code>b &lt; c</code> <strong>d</strong> <em>e</em></p>"),
    ("- a\n  b\n- c", "<ul>\n<li>a b</li>\n<li>c</li>\n</ul>"),
    ("1. a\n\n   b\n2. c", "<ol>\n<li><p>a</p>\n<p>b</p></li>\n<li>c</li>\n</ol>"),
    ("# A `b`: c!", '<h1 id="a-b-c">A <code>b</code>: c!</h1>'),
    ("| a | b |\n| --- | --- |\n| `x\\|y` | z |",
     '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead>\n'
     "<tbody><tr><td><code>x|y</code></td><td>z</td></tr></tbody></table></div>"),
    ("```\n# no < heading\n```", "<pre><code># no &lt; heading</code></pre>"),
    ("    code\n\n    more", "<pre><code>code\n\nmore</code></pre>"),
    ("<!-- hidden -->\ntext", "<p>text</p>"),
]


def findings(tree):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for path, text in tree.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        found = build_site.build(root, root / "out")
        page = root / "out/api/group/group.html"
        return found, page.read_text() if page.is_file() else ""


def main():
    failed = []
    for text, wanted in MARKDOWN:
        made = markdown.renderer(lambda link: link).render(text)
        if made != wanted:
            failed.append(f"{text!r} became {made!r}")
    if not failed and shutil.which("doxygen") is None:
        print("skipped: doxygen is missing (Debian: doxygen)")
        return 77
    found, page = findings(GOOD)
    failed += [f"the good tree has a finding: {one}" for one in found]
    failed += [f"the page of a header lacks {part!r}" for part in ("auto g = make()", "Public in each group", "rank")
               if part not in page.replace('<span class="keyword">auto</span>', "auto")]
    failed += ["the navigation lacks a door"] * ("<summary>Do</summary>" not in page)
    failed += ["the page of a header shows private members"] * ("hidden_" in page)
    for path, text, sentence in BAD:
        found, _ = findings({**GOOD, path: text})
        if not any(sentence in one for one in found):
            failed.append(f"no finding with {sentence!r}, but {found}")
    print("\n".join(failed) or f"{len(MARKDOWN)} texts, {len(BAD)} broken trees")
    return 1 if failed else 0


sys.exit(main())
