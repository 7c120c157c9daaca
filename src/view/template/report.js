// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

const remarks = {
  deadlock: "The letters show where the threads wait.",
  "time-out": "The launch ran into a limit of time. The letters show where the threads were.",
  failure: "A thread failed, and the launch ended.",
  assertion: "An assertion of a kernel failed.",
  order: "Each switch runs another thread than the engine's own order does. The failure needs these switches.",
  race: "Two accesses to one location are not ordered, and at least one is a write.",
  "wrong access": "A thread accessed memory that is not its own.",
  "access outside of memory": "A thread accessed memory outside of an allocation or variable.",
  "divergent barrier": "Threads waited at two places, and one barrier ended both waits.",
  "divergent collective": "Lanes called at two places, and one collective served both calls.",
  "barrier without returned threads": "A barrier of the grid did not wait for threads that had returned.",
  "asynchronous copy without a wait": "A thread returned before it waited for its copy.",
  "arrival without a wait": "A thread arrived at a barrier and returned without the wait.",
  "pointer out of its scope": "A thread used a pointer to memory of another block or thread.",
  "write of a constant": "A thread wrote a __constant__ variable.",
};

function ranksOf(text) {
  const ranges = [];
  for (const part of (text || "").matchAll(/(\d+)(?:-(\d+))?/g)) ranges.push([Number(part[1]), Number(part[2] || part[1])]);
  return ranges;
}

// Makes blocks from the threads that the accesses of a report name. The states of all other threads are unknown.
function blocksOfAccesses(report) {
  const blocks = new Map();
  for (const access of report.accesses) {
    const dim = access.block_dim || report.block_dim;
    if (!dim) continue;
    const p = access.position;
    const ranges = p ? [new Array(2).fill(p[0] + dim[0] * (p[1] + dim[1] * p[2]))] : ranksOf(access.ranks);
    if (!access.block || ranges.length === 0) continue;
    const key = (access.kernel || "") + triple(access.block) + triple(dim);
    const threads = Math.min(dim[0] * dim[1] * dim[2], 1024);
    if (!blocks.has(key)) blocks.set(key, { block: access.block, kernel: access.kernel, dim, threads, states: [] });
    const fails = access.kind === "failed";
    blocks.get(key).states.push({
      class: fails ? "failed" : "access", sentence: access.kind + (access.bytes ? " of " + access.bytes + " bytes" : ""),
      place: access.place, group: null, missing: [], complete: true, count: ranges.reduce((n, r) => n + r[1] - r[0] + 1, 0),
      threads: ranges,
    });
  }
  return [...blocks.values()];
}

function drawAccesses(report, sources) {
  const list = make("ol", { class: "accesses" });
  for (const access of report.accesses) {
    list.append(make("li", {}, make("strong", {}, access.kind), access.bytes ? " of " + access.bytes + " bytes" : null,
      " by " + access.thread, access.kernel ? " of kernel " + access.kernel : null, access.place ? ", at " : null, access.place ? make("code", {}, access.place) : null,
      sourceOf(sources, access.place), access.launched ? make("p", {}, "launched at ", make("code", {}, access.launched)) : null,
      sourceOf(sources, access.launched)));
  }
  return list;
}

// The sentence of a report has neither a capital letter nor a full stop.
function asSentence(text) {
  return text[0].toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}

// How many blocks of the launch the report leaves out, or null.
function otherBlocks(report) {
  const all = report.grid ? report.grid[0] * report.grid[1] * report.grid[2] : 0;
  const shown = report.blocks.length;
  return shown && all > shown ? make("p", { class: "others" }, "The launch has " + all + " blocks; the report describes " + shown + ".") : null;
}

function drawReport(report, number, sources) {
  const section = make("section", { id: "report-" + number, "data-kind": report.kind },
    make("h2", {}, "Report " + number + ": " + report.title),
    report.sentence ? make("p", { class: "sentence" }, asSentence(report.sentence)) : null,
    make("p", { class: "remark" }, report.known ? remarks[report.kind] || "" : "This report has no drawing. Its text:"),
    otherBlocks(report));
  if (report.order) section.append(drawOrder(report.order));
  if (report.accesses.length) section.append(drawAccesses(report, sources));
  for (const fact of report.facts) section.append(make("p", { class: "memory" }, fact[0].toUpperCase() + fact.slice(1) + "."));
  for (const place of report.places) {
    const source = sourceOf(sources, place);
    if (source) section.append(make("p", { class: "place" }, make("code", {}, place)), source);
  }
  if (report.remedy) section.append(make("p", { class: "remedy" }, (report.kind === "race" ? "Ordered by " : "Remedy: ") + report.remedy + "."));
  const blocks = report.blocks.length ? report.blocks : blocksOfAccesses(report);
  const shown = report.accesses.length ? {} : sources;  // the list of accesses shows the source lines already
  for (const block of blocks) section.append(...drawBlock(block, block.dim || report.block_dim, report.blocks.length ? sources : shown));
  section.append(make("details", report.known ? {} : { open: "" }, make("summary", {}, "Text of the report"),
    make("pre", { class: "text" }, report.text)));
  return section;
}
