# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests on small pages that the tests of pages report errors:  page_tests_test.py ROOT BUILD FOLDER"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = """# Page

Save this as `names/one.txt`:

```cpp
int one;
int two;
```

Change `names/one.txt`:

```diff
 int one;
-int two;
+int three;
```

```sh
make nothing
cd names
wc -l one.txt && cat one.txt
echo 0x7f0000001000 took 0.25 s
```

```
2 one.txt
...
int three;
0x7f0000002000 took
0.75 s
```

```sh
test $(pwd | xargs basename) = names
```
"""
# Each change of the page, with a part of the message that it must cause; an empty one stands for
# success.
CHANGES = [
    ("", "", ""),
    ("int three;\n0x", "int four;\n0x", "line 25: the commands before print:"),
    ("2 one.txt", "3 one.txt", "line 25: the commands before print:"),
    ("...\n", "", "line 25: the commands before print:"),
    ("0.75 s\n", "0.75 s\nmore\n", "line 25: the commands before print:"),
    ("-int two;", "-int six;", "the lines are not there once"),
    ("test $(pwd", "test not$(pwd", "a command fails"),
    ("cd names", "exit 0", "blocks ran"),
]
NO_OUTPUT = "# Page\n\n```sh\ntrue\n```\n"

EXAMPLES = """# Page

```cpp
#include <cstdio>
```

```cpp
void first() {
  std::printf("%d\\n", 6 * 7);  // 42
}
```
"""
EXAMPLE_CHANGES = [
    ("", "", ""),
    ("// 42", "// 43", "line 7: expected '43', but got '42'"),
    ("// 42", "", "1 of 0 lines"),
    ("6 * 7", "six", "'six' was not declared"),
    ("```cpp\n#include <cstdio>\n```\n", "", "1 examples; there must be 2"),
]


def run(script, page, text, *arguments):
    page.write_text(text)
    result = subprocess.run([sys.executable, "-B", HERE / script, page, *arguments], env={**os.environ, "LC_ALL": "C"},
                            capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def main():
    root, build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)

    def tutorial(text):
        return run("tutorial_test.py", folder / "page.md", text, folder, folder / "followed")

    def examples(text):
        return run("examples_test.py", folder / "page.md", text, "2", root, build, folder / "examples")

    failed = []
    for check, page, changes in ((tutorial, PAGE, CHANGES), (examples, EXAMPLES, EXAMPLE_CHANGES)):
        for old, new, message in changes:
            status, output = check(page.replace(old, new, 1))
            if (status == 0) != (message == "") or message not in output:
                failed.append(f"with {new!r} for {old!r}: status {status}, {output}")
    status, output = tutorial(NO_OUTPUT)
    if status == 0 or "no output" not in output:
        failed.append(f"a page without output passes: {output}")
    print("\n".join(failed) or f"{len(CHANGES) + len(EXAMPLE_CHANGES) + 1} pages")
    return 1 if failed else 0


sys.exit(main())
