# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges an attempt: solved, the hole is empty, or what is wrong, with its explanation and pictures."""

import re
import subprocess
import textwrap

import draw
import picture
import puzzles

# Classes of reports by words of their titles, the most telling class first.
CLASSES = [("failure", ("failure in", "stack overflow")), ("assertion", ("Assertion `",)), ("deadlock", ("deadlock",)),
           ("time-out", ("time-out",)), ("divergence", ("divergent",)), ("returned", ("barrier without returned",)),
           ("arrival", ("arrival without",)), ("partial", ("memcpy_async by a part",)),
           ("copy", ("asynchronous copy without",)), ("race", ("race",)),
           ("memory", ("access ", "memory", "write of a constant", "pointer out of its scope", "wrong address", "not freed"))]
OTHER = "other"  # the class of all other titles, which no sentence explains

# Sentences that explain a class where the puzzle has none of its own for it.
GENERAL = {
    "failure": "The kernel has failed; the report has the reason.",
    "assertion": "An assert() of the kernel does not hold.",
    "deadlock": "Threads wait for others that never come. A barrier or a collective stands where not all threads of its group "
                "pass.",
    "time-out": "The kernel does not end. Look at the condition of the loop that the report names.",
    "divergence": "Threads of one group wait at different places. All of them must reach the same call.",
    "returned": "A barrier lacks threads that have returned from the kernel. All threads of the group must reach it.",
    "arrival": "A thread has arrived at a barrier and never waited for it.",
    "partial": "Only some threads of the group have called memcpy_async. All of them do.",
    "copy": "An asynchronous copy was started and never waited for.",
    "race": "Two threads access one location, at least one of them writes, and nothing orders the two.",
    "memory": "The kernel has used memory in a way that is not defined. The report names the access.",
}
MOST_VALUES = 4
MOST_LINES, LONGEST_LINE = 40, 400  # limits of the reader's printf
ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
WIDTH = 100


class Verdict:
    def __init__(self, is_solved):
        self.is_solved = is_solved
        self.lines = []

    def add(self, text, indent=""):
        self.lines += textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def class_of(report):
    if report["title"].startswith("failure in") and "illegal address" in report["text"]:
        return "memory"
    return next((name for name, words in CLASSES if any(word in report["title"] for word in words)), OTHER)


def leading_report(reports):
    """The report that explains most, and its class."""
    order = [name for name, _ in CLASSES] + [OTHER]
    return min(((class_of(report), report) for report in reports), key=lambda pair: order.index(pair[0]))


def judge(puzzle, attempt, bin_folder, paint):
    if not attempt.is_compiled:
        return compile_errors(puzzle, attempt)
    arrays = attempt.results["arrays"] if attempt.results else []
    is_wrong = any(array["expected"] != array["found"] for array in arrays)
    errors = [launch for launch in attempt.results["launches"] if "error" in launch] if attempt.results else []
    is_empty = puzzle.has_empty_hole()
    broken = [] if is_empty else puzzle.broken_rules()
    broken += [f"{path} differs from that of the installation. Move it away, and the next run copies it again."
               for path in puzzle.changed_check_files()]
    verdict = Verdict(not (is_wrong or errors or attempt.reports or attempt.end or broken))
    if not is_empty and attempt.compiler_output.strip():
        verdict.lines += [attempt.compiler_output.rstrip(), ""]
    if attempt.output.strip():
        verdict.lines += ["The program has printed:", *printed_lines(attempt.output), ""]
    if verdict.is_solved:
        verdict.add(f"{puzzle.kernel}: solved. The values of all {len(attempt.results['launches'])} launches are right, and the "
                    "checker found nothing.")
    elif is_empty:
        verdict.add(f"{puzzle.kernel}: the hole has no answer yet. This is what the kernel does now:")
    else:
        verdict.add(f"{puzzle.kernel}: not solved.")
    paragraphs, pictures = show_problems(puzzle, attempt, arrays, errors, is_empty, verdict, paint)
    for paragraph in paragraphs + broken:
        verdict.lines.append("")
        verdict.add(paragraph)
    write_pages(puzzle, attempt, (paragraphs + broken, pictures), bin_folder, verdict)
    return verdict


def printed_lines(output):
    """The first lines of the reader's printf, without the sequences that control a terminal."""
    lines = ESCAPE.sub("", output).rstrip().split("\n")
    shown = ["  " + line[:LONGEST_LINE] + ("..." if len(line) > LONGEST_LINE else "") for line in lines[:MOST_LINES]]
    return shown + ([f"  and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else [])


def compile_errors(puzzle, attempt):
    verdict = Verdict(False)
    verdict.lines += [attempt.compiler_output.rstrip(), "", f"{puzzle.kernel}: not solved. It does not compile."]
    if not puzzle.has_markers():
        verdict.add("The file has lost the comments around the hole. To begin again, move it away and call "
                    f"`cohort learn {puzzle.number}`.")
    remove_pages(puzzle)
    return verdict


def show_problems(puzzle, attempt, arrays, errors, is_empty, verdict, paint):
    """Adds reports and wrong values. Returns the explanations, and the pictures of the page."""
    paragraphs, pictures = [], []
    if attempt.reports:
        name, report = leading_report(attempt.reports)
        verdict.lines += ["", textwrap.indent(report["text"], "  ")]
        for drawn in [*draw.states(report), *draw.accesses(report)]:
            verdict.lines += ["", *("  " + line for line in drawn.as_text(paint))]
        if len(attempt.reports) > 1:
            verdict.add(f"Reports besides this one: {len(attempt.reports) - 1}. The page shows all.", "  ")
        if not is_empty and name != OTHER:
            paragraphs.append(puzzle.explain.get(name, GENERAL[name]))
    elif errors:
        paragraphs += [f"{launch['launch']}: {launch['error']}" for launch in errors]
    if attempt.end:
        paragraphs.append(attempt.end)
        if not attempt.reports and attempt.report_lines.strip():
            verdict.lines += ["", textwrap.indent(attempt.report_lines.rstrip(), "  ")]
    unwritten = attempt.results["unwritten"] if attempt.results else None
    wrong = [array for array in arrays if array["expected"] != array["found"]]
    for array in wrong or ([max(arrays, key=lambda array: len(array["expected"]))] if verdict.is_solved else []):
        drawn = draw.values(array, unwritten)
        pictures.append(drawn)
        if array in wrong:
            verdict.lines += ["", *("  " + line for line in drawn.as_text(paint))]
            verdict.lines += ["  " + line for line in draw.wrong_values(array, unwritten, MOST_VALUES)]
    if not is_empty and not attempt.reports and attempt.results:
        paragraphs += [launch["mistake"] for launch in attempt.results["launches"] if "mistake" in launch]
    return paragraphs, pictures


def remove_pages(puzzle):
    for name in ("picture.html", "report.html"):
        (puzzle.copy / name).unlink(missing_ok=True)


def write_pages(puzzle, attempt, pages, bin_folder, verdict):
    """Writes picture.html about values, and lets cohort-view write report.html. Pages of earlier attempts go away."""
    paragraphs, pictures = pages
    values, reports = puzzle.copy / "picture.html", puzzle.copy / "report.html"
    remove_pages(puzzle)
    verdict.lines.append("")
    if pictures:
        heading = f"{puzzle.number}. {puzzle.title}: " + ("solved" if verdict.is_solved else "not solved")
        puzzles.write_file(values, picture.page(heading, paragraphs, pictures))
        verdict.add(f"The values as a picture: {values}")
    if attempt.reports:
        done = subprocess.run([str(bin_folder / "cohort-view"), "-", "-o", str(reports), "--source-root", str(puzzle.copy)],
                              input=attempt.report_lines, encoding="utf-8", errors="replace", capture_output=True, check=False)
        verdict.add(f"The report as a page: {reports}" if done.returncode == 0 else done.stderr.strip())
