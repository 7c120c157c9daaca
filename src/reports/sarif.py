# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings in the form of SARIF 2.1.0 (OASIS), which GitHub and editors show beside the source. The input has the form of
docs/schemas/report.schema.json, or is a report of COHORT_COUNT with a budget."""

import json
import os
import pathlib
import re
import urllib.parse

import order
from problem import Problem
from report_json import text_or
from report_text import BETWEEN, HEADING
from source_files import PLACE, Finder

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
OBJECT = re.compile(r'^\{"(?:check|report|order)":')
ALLOCATED = re.compile(r"\b(?:allocated|freed|declared) at ([^,]*:\d+(?: \(.*\))?)")
LEVELS = {"leak": "warning"}  # levels of problems; a problem without an entry is an error
MOST_RESULTS = 5000  # GitHub shows no more results of one file


class Locations:
    """Places of reports as locations, with paths from the source root."""

    def __init__(self, root):
        self.root = pathlib.Path(os.path.abspath(root))
        self.finder = Finder(root)
        self.uris = {}

    def uri_of(self, name):
        if name not in self.uris:
            path = self.finder.find(name)
            path = os.path.abspath(path) if path else name
            inside = os.path.isabs(path) and pathlib.Path(path).is_relative_to(self.root)
            if inside:
                path = str(pathlib.Path(path).relative_to(self.root))
            self.uris[name] = ("file://" if os.path.isabs(path) else "") + urllib.parse.quote(path, errors="replace")
        return self.uris[name]

    def of_line(self, file, line, function=None, message=None):
        location = {"physicalLocation": {"artifactLocation": {"uri": self.uri_of(file)}, "region": {"startLine": line}}}
        if function:
            location["logicalLocations"] = [{"fullyQualifiedName": function, "kind": "function"}]
        if message:
            location["message"] = {"text": message}
        return location

    def of(self, place, message=None):
        """The location of "file:line (function)"; None for another text."""
        match = PLACE.match(place) if isinstance(place, str) else None
        if not match or int(match["line"]) == 0:
            return None
        return self.of_line(match["file"], int(match["line"]), match["function"], message)


def objects_of(text, name):
    """The JSON objects of reports in the output of a program. Reports as text are refused, because they lack members."""
    if order.is_file(text):
        try:
            return [json.loads(text)]
        except (ValueError, RecursionError):
            pass  # other output follows the order: its lines are read one by one
    objects = []
    for number, line in enumerate(text.split("\n"), 1):
        if HEADING.match(line) or BETWEEN.match(line):
            raise Problem(f"{name}, line {number}: a report as text. Run the program with COHORT_CHECK=json COHORT_REPORT=json")
        if OBJECT.match(line):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise Problem(f"{name}, line {number}: a report is cut off or damaged: {error}. Run the program again") from error
            if value.get("version") != 1:
                raise Problem(f"{name}, line {number}: version {value.get('version')!r} of a report, and this command reads 1. "
                              "Run the program again with this version of Cohort")
            objects.append(value)
    return objects


def identifier(*words):
    return "-".join(re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words if word) or "finding"


def sides_of(value):
    """Returns (place, description) of each access, waiting thread or step; the one that explains most is first."""
    for key in ("first", "second", "access"):
        side = value.get(key)
        if isinstance(side, dict):
            yield side.get("place"), f"{text_or(side.get('kind'), 'access')} by {text_or(side.get('thread'), 'a thread')}"
            yield side.get("launched"), "launched here"
    yield value.get("place"), "allocated here"
    for match in ALLOCATED.finditer(text_or(value.get("memory"), "")):
        yield match[1], match[0].split(" at ")[0] + " here"
    for block in value.get("blocks") if isinstance(value.get("blocks"), list) else []:
        states = block.get("states") if isinstance(block, dict) else None
        for state in states if isinstance(states, list) else []:
            if isinstance(state, dict):
                yield state.get("place"), text_or(state.get("does"), "a thread")


def locations_of(value, locations):
    found = []
    for place, description in sides_of(value):
        location = locations.of(place, description)
        if location and location not in found:
            found.append(location)
    return found


def message_of(value):
    sentences = [text_or(value.get("title"), "?") + (f" in kernel {value['kernel']}" if text_or(value.get("kernel"), "") else "")]
    sentences += [text_or(value.get(member), "") for member in ("memory", "rule")]
    if remedy := text_or(value.get("remedy"), ""):
        sentences.append("remedy: " + remedy)
    return "\n".join(sentence for sentence in sentences if sentence)


def result_of_finding(value, locations):
    check = text_or(value.get("check"), "launch")
    title, problem = text_or(value.get("title"), "?"), text_or(value.get("problem"), "")
    result = {"ruleId": identifier(check, problem or (title if title != check else "")), "level": LEVELS.get(problem, "error"),
              "message": {"text": message_of(value)}}
    found = locations_of(value, locations)
    if found:
        result.update(locations=found[:1], relatedLocations=found[1:])
    return result, title, text_or(value.get("rule"), title)


def thread_flows(steps, locations):
    """A flow for each lane of the order; the numbers of its steps count over all lanes."""
    flows = {}
    for number, step in enumerate(steps, 1):
        does = ("switch: " if step["switched"] else "") + step["does"].removesuffix(" at")
        location = locations.of(step["place"], does) or {"message": {"text": does}}
        flows.setdefault(step["lane"], []).append({"location": location, "executionOrder": number})
    return [{"id": lane, "locations": found} for lane, found in flows.items()]


def result_of_order(value, locations):
    report = order.from_order(value)
    title, rule = "a failure that depends on the order of threads", "the result of a run must not depend on the order of threads"
    result = {"ruleId": "order", "level": "error",
              "message": {"text": "\n".join([f"the run fails under {report['title']}", *report["facts"]])}}
    flows = thread_flows(report["order"]["steps"], locations)
    if flows:
        result["codeFlows"] = [{"threadFlows": flows}]
    found = [location for location in map(locations.of, report["places"]) if location]
    if found:
        result["locations"] = found[:1]
    return result, title, rule


def results_of_counts(excesses, locations):
    """A result for each line that exceeds a limit of its kernel."""
    for excess in excesses:
        rule = f"the ratio of {excess.limit} to its ideal must be within the budget"
        for (file, line), sentence in excess.lines or [(("", 0), excess.sentence)]:
            result = {"ruleId": identifier("count", excess.limit), "level": "warning",
                      "message": {"text": f"{sentence}; the limit of kernel {excess.kernel} is {excess.bound}"}}
            if file and line:
                result["locations"] = [locations.of_line(file, line)]
            yield result, f"{excess.limit} beyond the budget", rule


def results_of_reports(text, name, locations):
    for value in objects_of(text, name):
        yield result_of_order(value, locations) if "order" in value else result_of_finding(value, locations)


def log_of(results):
    """The file of SARIF for results with the title and the sentence of their rules."""
    results = list(results)[:MOST_RESULTS]
    rules = {}
    for result, title, rule in results:
        rules.setdefault(result["ruleId"], {"id": result["ruleId"], "shortDescription": {"text": title},
                                            "fullDescription": {"text": rule}})
    numbers = {name: number for number, name in enumerate(rules)}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "cohort", "rules": list(rules.values())}},
        "results": [{**result, "ruleIndex": numbers[result["ruleId"]]} for result, _, _ in results]}]}
