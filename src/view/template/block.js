// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

const classNames = {
  returned: "returned", collective: "waits in a collective", barrier: "waits at a barrier",
  convergence: "waits for convergence", spin: "spins", ready: "can run", unstarted: "has not started", run: "runs",
  failed: "failed", access: "accessed", unknown: "state not in the report",
};

// The letters of states in the drawing: colour alone does not tell them apart.
function letterOf(state, index) {
  if (state.class === "returned") return "\u00b7";
  if (state.class === "failed") return "!";
  return index < 26 ? String.fromCharCode(65 + index) : "#";
}

function styleOf(state, index) {
  return state.class === "returned" || state.class === "failed" ? state.class : "s" + (index % 8);
}

function threadIndex(rank, dim) {
  return [rank % dim[0], Math.floor(rank / dim[0]) % dim[1], Math.floor(rank / dim[0] / dim[1])];
}

// For each thread of the block: the number of its state, or -1 if it is not in the report. Also the threads that a
// collective lacks.
function stateOfThreads(block) {
  const result = { state: new Array(block.threads).fill(-1), missing: new Set() };
  block.states.forEach((state, index) => {
    for (const [first, last] of state.threads) {
      for (let rank = first; rank <= last && rank < block.threads; ++rank) result.state[rank] = index;
    }
    for (const rank of state.missing) if (rank < block.threads) result.missing.add(rank);
  });
  return result;
}

function describeLane(block, dim, found, rank) {
  const state = block.states[found.state[rank]];
  let text = "thread " + rank + (dim ? " " + triple(threadIndex(rank, dim)) : "") + ", lane " + (rank % 32) + " of warp " +
    Math.floor(rank / 32) + ": ";
  text += state ? state.sentence : classNames.unknown;
  if (state && state.place) text += ", at " + state.place;
  if (state && state.group) text += "; member of " + state.group;
  if (found.missing.has(rank)) text += "; a collective of its warp waits for it";
  return text;
}

// Arrow keys, Home and End move the focus: the lanes are one stop of the Tab key.
function moveByKeys(lanes, event) {
  const at = lanes.indexOf(event.target);
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 32, ArrowUp: -32 }[event.key];
  let next = step === undefined ? -1 : at + step;
  if (event.key === "Home") next = 0;
  if (event.key === "End") next = lanes.length - 1;
  if (at < 0 || next < 0 || next >= lanes.length) return;
  event.preventDefault();
  lanes[at].tabIndex = -1;
  lanes[next].tabIndex = 0;
  lanes[next].focus();
}

function drawLegend(block, missing, sources) {
  const body = make("tbody");
  block.states.forEach((state, index) => {
    body.append(make("tr", {},
      make("td", {}, make("span", { class: "sample " + styleOf(state, index) }, letterOf(state, index))),
      make("td", {}, String(state.count)),
      make("td", {}, state.sentence, state.complete ? null : make("span", { class: "soft" },
        " (the text lists only some of these threads; COHORT_REPORT=json lists all)")),
      make("td", {}, state.group || ""),
      make("td", {}, state.place || "")));
  });
  if (missing.size) {
    body.append(make("tr", { class: "dashed" }, make("td", {}, make("span", { class: "sample missing" })),
      make("td", {}, String(missing.size)), make("td", {}, "dashed frame: a collective of the warp waits for this lane"),
      make("td", {}), make("td", {})));
  }
  const head = make("tr", {});
  for (const name of ["mark", "threads", "state", "group", "place"]) head.append(make("th", { scope: "col" }, name));
  const shown = new Set();
  const box = make("div", {}, make("table", { class: "legend" }, make("thead", {}, head), body));
  block.states.forEach((state) => {
    const source = shown.has(state.place) ? null : sourceOf(sources, state.place);
    shown.add(state.place);
    if (source) box.append(make("p", { class: "place" }, make("code", {}, state.place)), source);
  });
  return box;
}

// A block as warps of 32 lanes, with a line of text about the lane in focus.
function drawBlock(block, dim, sources) {
  const found = stateOfThreads(block);
  const status = make("p", { class: "status", role: "status" }, "Select a lane with the arrow keys or the pointer.");
  const box = make("div", { class: "block", role: "group", "aria-label": "block " + triple(block.block) });
  const lanes = [];
  for (let first = 0; first < block.threads; first += 32) {
    const grid = make("div", { class: "lanes" });
    for (let rank = first; rank < Math.min(first + 32, block.threads); ++rank) {
      const index = found.state[rank];
      const state = block.states[index];
      const classes = "lane " + (state ? styleOf(state, index) : "unknown") + (found.missing.has(rank) ? " missing" : "");
      const lane = make("button", { type: "button", class: classes, "data-thread": rank, "data-state": state ? state.class : "unknown",
        tabindex: rank === 0 ? "0" : "-1", "aria-label": describeLane(block, dim, found, rank) }, state ? letterOf(state, index) : "");
      lanes.push(lane);
      grid.append(lane);
    }
    box.append(make("div", { class: "warp" }, make("span", { class: "name" }, "warp " + first / 32), grid));
  }
  const show = (event) => {
    if (event.target.dataset.thread !== undefined) status.textContent = event.target.getAttribute("aria-label");
  };
  box.addEventListener("focusin", show);
  box.addEventListener("mouseover", show);
  box.addEventListener("keydown", (event) => moveByKeys(lanes, event));
  return [make("h3", {}, "Block " + triple(block.block) + (block.kernel ? " of kernel " + block.kernel : "") + ", " + block.threads + " threads"), box, status,
    drawLegend(block, found.missing, sources)];
}
