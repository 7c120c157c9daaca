#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort learn`: lists the puzzles, and begins or checks one of them. bin/cohort starts this file."""

import argparse
import os
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(os.path.abspath(__file__)).parent
LIBRARY = HERE.parent  # lib/cohort of the installation; the folders in it may be links to the sources
sys.path[:0] = [str(HERE), str(LIBRARY / "reports")]

import attempt
import puzzles
import verdict
from problem import Problem

DESCRIPTION = "Teaches cooperative groups by puzzles: kernels with a hole, which a host model checks."
EPILOG = """Without a number it lists the puzzles. `cohort learn 7` copies puzzle 7 to cohort-learn/ in the current folder,
unless it is there, compiles it with cohortcc --check, runs it, and shows what is wrong. It never changes your files. The
exit status is 0 for a solved puzzle, 1 for one that is not, and 2 after a message."""


def list_puzzles(all_puzzles):
    solved = 0
    for puzzle in all_puzzles:
        state = puzzle.state()
        solved += state == "solved"
        print(f"{puzzle.number:3}  {puzzle.short_name:<20} {puzzle.title:<46} {state}".rstrip())
    following = next((puzzle.number for puzzle in all_puzzles if puzzle.state() != "solved"), None)
    print(f"\n{solved} of {len(all_puzzles)} solved."
          + (f" `cohort learn {following}` begins or checks puzzle {following}." if following else ""))
    return 0


def next_sentence(puzzle, all_puzzles):
    """Names the next puzzle that is not solved, if need be one before this."""
    following = sorted((other for other in all_puzzles if other.state() != "solved"),
                       key=lambda other: (other.number < puzzle.number, other.number))
    if not following:
        return f"All {len(all_puzzles)} puzzles are solved."
    return f"Next: `cohort learn {following[0].number}`, {following[0].title}."


def check_puzzle(puzzle, all_puzzles, paint, bin_folder):
    if puzzle.copy_missing_files():
        print(puzzle.text())
        print(f"Edit {puzzle.kernel} and call `cohort learn {puzzle.number}` again.\n")
    found = verdict.judge(puzzle, attempt.run(puzzle, bin_folder), bin_folder, paint)
    puzzle.remember(found.is_solved)
    print("\n".join(found.lines))
    print(next_sentence(puzzle, all_puzzles) if found.is_solved else
          f"`cohort learn {puzzle.number} --hint` prints a hint.")
    return 0 if found.is_solved else 1


def choose_puzzle(all_puzzles, name):
    for puzzle in all_puzzles:
        if name.lstrip("0") == str(puzzle.number) or name in (puzzle.short_name, puzzle.source.name):
            return puzzle
    raise Problem(f"there is no puzzle '{name}'; there are 1 to {len(all_puzzles)}, and `cohort learn` lists them")


def main(arguments):
    parser = argparse.ArgumentParser(prog="cohort learn", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    parser.add_argument("number", metavar="NUMBER", nargs="?", help="a puzzle, by its number or its name")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--text", action="store_true", help="print the text of the puzzle")
    choice.add_argument("--hint", action="store_true", help="print a hint")
    choice.add_argument("--solution", action="store_true", help="print a solution")
    options = parser.parse_args(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack characters of the reader's sources
    try:
        all_puzzles = puzzles.read_all(LIBRARY / "puzzles")
        if options.number is None:
            if options.text or options.hint or options.solution:
                raise Problem("the option needs the number of a puzzle, as in `cohort learn 7 --hint`")
            return list_puzzles(all_puzzles)
        puzzle = choose_puzzle(all_puzzles, options.number)
        if options.text or options.hint or options.solution:
            print(puzzle.text() if options.text else puzzle.hint() if options.hint else puzzle.solution(), end="")
            return 0
        paint = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        return check_puzzle(puzzle, all_puzzles, paint, LIBRARY.parent.parent / "bin")
    except Problem as problem:
        print(f"cohort learn: {problem}", file=sys.stderr)
    except BrokenPipeError:
        sys.stdout = None  # else the interpreter writes the rest when it ends
    except OSError as error:
        print(f"cohort learn: {error.filename or 'a file'}: {error.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        print("cohort learn: interrupted", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
