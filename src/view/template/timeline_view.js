// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

const lineHeight = 18;
const axisHeight = 22;
const labelWidth = 150;
const mostLongest = 100;
const mostPixels = 16000;  // browsers draw nothing on a canvas with more than 32767

function paletteOf(element) {
  const style = getComputedStyle(element);
  const value = (name) => style.getPropertyValue(name).trim();
  const fills = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => value("--c" + i));
  return { fills, text: value("--text"), soft: value("--soft"), line: value("--line"), focus: value("--focus") };
}

const units = [["s", 1e6], ["ms", 1e3], ["us", 1], ["ns", 1e-3]];

// The text of a time on the axis. Its unit is the largest one of which two labels differ by at least a tenth.
function timeLabel(time, step) {
  const [unit, size] = units.find(([, size]) => step >= size / 10) || units[units.length - 1];
  return Number((time / size).toFixed(1)) + " " + unit;
}

function paint(timeline, canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(canvas.clientWidth, labelWidth + 50);
  timeline.room = Math.min(timeline.lines.length, Math.floor((mostPixels / ratio - axisHeight) / lineHeight));
  timeline.scroll(0);
  const height = axisHeight + timeline.room * lineHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = height + "px";
  const colours = paletteOf(canvas);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.font = "12px sans-serif";
  context.textBaseline = "middle";
  const room = width - labelWidth;
  const { times, step } = timeline.ticks(Math.max(Math.floor(room / 110), 1));
  const labels = times.map((time) => timeLabel(time, step));
  times.forEach((time, i) => {
    const x = labelWidth + room * (time - timeline.begin) / (timeline.end - timeline.begin);
    context.fillStyle = colours.soft;
    context.textAlign = x + 60 > width ? "right" : "left";
    context.fillText(labels[i], x, axisHeight / 2);
    context.fillStyle = colours.line;
    context.fillRect(x, axisHeight, 1, height);
  });
  canvas.dataset.ticks = labels.join(", ");
  context.textAlign = "left";
  let drawn = 0;
  timeline.lines.slice(timeline.top, timeline.top + timeline.room).forEach((line, number) => {
    const y = axisHeight + number * lineHeight;
    if (line.depth === 0) {
      context.fillStyle = colours.text;
      context.fillText(timeline.trace.rows[line.row].thread.slice(0, 40), 2, y + lineHeight / 2, labelWidth - 6);
    }
    timeline.visible(line, room, (x, length, i) => {
      ++drawn;
      context.fillStyle = colours.fills[timeline.categories.get(timeline.columns.category[i]) % 8];
      context.fillRect(labelWidth + x, y + 1, length, lineHeight - 2);
      if (i === timeline.selected) {
        context.strokeStyle = colours.focus;
        context.lineWidth = 2;
        context.strokeRect(labelWidth + x, y + 1, length, lineHeight - 2);
      }
      if (length > 30) {
        context.fillStyle = colours.text;
        context.fillText(timeline.text("name", i).slice(0, Math.floor(length / 6)), labelWidth + x + 3, y + lineHeight / 2, length - 4);
      }
    });
  });
  canvas.dataset.drawn = drawn;
  canvas.dataset.begin = timeline.begin;
  canvas.dataset.end = timeline.end;
  canvas.dataset.top = timeline.top;
}

const keyActions = {
  "+": (t) => t.zoom(0.5, 0.5), "=": (t) => t.zoom(0.5, 0.5), "-": (t) => t.zoom(2, 0.5), "0": (t) => t.showAll(),
  ArrowLeft: (t) => t.pan(-0.2), ArrowRight: (t) => t.pan(0.2), Home: (t) => t.pan(-1e9), End: (t) => t.pan(1e9),
  PageDown: (t) => t.scroll(t.room), PageUp: (t) => t.scroll(-t.room),
  n: (t) => t.step(1), p: (t) => t.step(-1), ArrowDown: (t) => t.stepLine(1), ArrowUp: (t) => t.stepLine(-1),
};

// The slice at a point of the canvas, or undefined.
function sliceAt(timeline, canvas, event) {
  const box = canvas.getBoundingClientRect();
  const line = timeline.lines[timeline.top + Math.floor((event.clientY - box.top - axisHeight) / lineHeight)];
  const part = (event.clientX - box.left - labelWidth) / (box.width - labelWidth);
  if (!line || part < 0) return undefined;
  const time = timeline.begin + (timeline.end - timeline.begin) * part;
  const near = line.slices[timeline.firstAfter(line.slices, time)];
  return near !== undefined && timeline.columns.start[near] <= time ? near : undefined;
}

function connectPointer(timeline, canvas, update) {
  let dragged = null;
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey && document.activeElement !== canvas) return;  // the wheel scrolls the page
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    timeline.zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.max((event.clientX - box.left - labelWidth) / (box.width - labelWidth), 0));
    update();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    dragged = event.clientX;
    canvas.setPointerCapture(event.pointerId);
    timeline.select(sliceAt(timeline, canvas, event));
    update();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    timeline.pan((dragged - event.clientX) / (canvas.clientWidth - labelWidth));
    dragged = event.clientX;
    update();
  });
  canvas.addEventListener("pointerup", () => { dragged = null; });
  canvas.addEventListener("pointercancel", () => { dragged = null; });
}

function drawLongest(timeline, update) {
  const body = make("tbody");
  for (const i of timeline.longest(mostLongest)) {
    const button = make("button", { type: "button" }, timeline.text("name", i) || "(no name)");
    button.addEventListener("click", () => {
      timeline.select(i);
      update();
    });
    const row = timeline.trace.rows[timeline.columns.row[i]];
    const cells = [button, timeline.text("category", i), row.thread, String(timeline.columns.start[i]), String(timeline.columns.duration[i])];
    body.append(make("tr", {}, ...cells.map((cell) => make("td", {}, cell))));
  }
  const head = make("tr");
  for (const name of ["event", "category", "row", "start (us)", "duration (us)"]) head.append(make("th", { scope: "col" }, name));
  return make("table", { class: "longest" }, make("caption", {}, "The longest events"), make("thead", {}, head), body);
}

function drawKernels(kernels) {
  const body = make("tbody");
  for (const kernel of kernels) {
    const cells = [kernel.name, kernel.count, kernel.total, kernel.mean, kernel.longest];
    body.append(make("tr", {}, ...cells.map((cell) => make("td", {}, String(cell)))));
  }
  const head = make("tr");
  for (const name of ["kernel", "launches", "total (us)", "mean (us)", "longest (us)"]) {
    head.append(make("th", { scope: "col" }, name));
  }
  return make("table", { class: "kernels" }, make("caption", {}, "Kernels"), make("thead", {}, head), body);
}

// The numbers of events that the page lacks, and why.
const gaps = [
  ["left_out", " events were left out by the program: recording takes a fifth of a thread's time at most."],
  ["dropped", " events were dropped by the program: the file was full (COHORT_TRACE_SIZE)."],
  ["short", " events, the shortest ones, are in the trace and not on this page."],
  ["not_ended", " events have no end: the program was killed, or they were open when it ended."],
  ["skipped", " records were not understood."],
];

function drawTrace(trace) {
  const timeline = new Timeline(trace);
  const canvas = make("canvas", { tabindex: "0", role: "application", "aria-label": "timeline; the table below lists the longest events" });
  const status = make("p", { class: "status", role: "status" }, "No event is selected.");
  let waits = false;
  const range = make("p", { class: "range", role: "status" });
  const update = () => {
    if (timeline.selected >= 0) status.textContent = timeline.describe(timeline.selected);
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      paint(timeline, canvas);
      range.textContent = timeline.room === timeline.lines.length ? "" : "Lines " + (timeline.top + 1) + " to " +
        (timeline.top + timeline.room) + " of " + timeline.lines.length + ". Page Up and Page Down show others.";
    });
  };
  canvas.addEventListener("keydown", (event) => {
    const action = keyActions[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action(timeline);
    update();
  });
  connectPointer(timeline, canvas, update);
  window.addEventListener("resize", update);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  update();
  const section = make("section", { id: "timeline" }, make("h2", {}, "Timeline"),
    make("p", { class: "counts" }, trace.columns.row.length + " events in " + trace.rows.length + " rows."));
  for (const [number, text] of gaps) if (trace[number]) section.append(make("p", { class: "gap" }, trace[number] + text));
  section.append(...[
    make("p", { class: "soft" }, "Keys: + and - zoom, Left and Right pan, Home and End go to an end, 0 shows all, n and p " +
      "select the next and previous event, Up and Down change the line, Page Up and Page Down scroll the lines. Drag to pan; click, then turn the wheel to zoom."),
    range, canvas, status, trace.kernels.length ? drawKernels(trace.kernels) : null, drawLongest(timeline, update)].filter(Boolean));
  return section;
}
