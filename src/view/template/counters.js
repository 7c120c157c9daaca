// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

const barNames = { sectors: "sectors, x ideal", wavefronts: "wavefronts, x ideal", lanes: "active lanes" };
const barParts = { sectors: ["ideal", "excess"], wavefronts: ["ideal", "excess"], lanes: ["active", "inactive"] };
const barWidth = 90;

function drawing(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// "65536, 8.00 x", or the share of active lanes.
function barText(name, [good, bad]) {
  if (name === "lanes") return (100 * good / Math.max(good + bad, 1)).toFixed(0) + " %";
  return good + bad + (bad ? ", " + ((good + bad) / Math.max(good, 1)).toFixed(2) + " x" : "");
}

// The ideal part and the excess, on the scale of the longest bar of the kernel. The bar of the report before is below.
function drawBar(name, bar, before, longest) {
  const scale = barWidth / Math.max(longest, 1);
  const [good, bad] = bar || [0, 0];
  const box = drawing("svg", { class: "bar", width: barWidth, height: before ? 16 : 10, role: "img" });
  const label = barParts[name][0] + " " + good + ", " + barParts[name][1] + " " + bad;
  box.append(drawing("title", {}, label + (before ? "; before: " + (before[0] + before[1]) : "")),
    drawing("rect", { class: "good", x: 0, y: 0, width: good * scale, height: 10 }),
    drawing("rect", { class: "bad", x: good * scale, y: 0, width: bad * scale, height: 10 }));
  if (before) box.append(drawing("rect", { class: "before", x: 0, y: 12, width: (before[0] + before[1]) * scale, height: 4 }));
  return make("td", { class: "bars", "data-bar": name }, box,
    make("span", {}, bar ? barText(name, bar) : "0", before ? "; before " + barText(name, before) : null));
}

function longestBars(kernel) {
  const longest = {};
  for (const file of kernel.files) {
    for (const row of file.rows.filter(Boolean)) {
      for (const bars of [row.bars, row.before || {}]) {
        for (const [name, [good, bad]] of Object.entries(bars)) longest[name] = Math.max(longest[name] || 0, good + bad);
      }
    }
  }
  return longest;
}

// Source lines with a bar for each number. A row of dots stands for lines that are left out.
function drawFile(file, longest) {
  const names = Object.keys(barNames).filter((name) => name in longest);
  const head = make("tr", {}, make("th", { scope: "col" }, "line"), make("th", { scope: "col" }, "source"),
    ...names.map((name) => make("th", { scope: "col" }, barNames[name])));
  const body = make("tbody");
  for (const row of file.rows) {
    if (!row) {
      body.append(make("tr", { class: "gap" }, make("td", { colspan: names.length + 2 }, "\u2026")));
      continue;
    }
    const cells = names.map((name) => {
      const bar = row.bars[name], before = row.before && row.before[name];
      return bar || before ? drawBar(name, bar, before, longest[name]) : make("td");
    });
    body.append(make("tr", { class: Object.keys(row.bars).length ? "counted" : null },
      make("th", { scope: "row" }, String(row.line)), make("td", { class: "code" }, row.text || ""), ...cells));
  }
  return make("div", { class: "counted-source", role: "group", "aria-label": "numbers of " + file.file, tabindex: "0" },
    make("table", {}, make("caption", {}, file.file), make("thead", {}, head), body));
}

const pictureTexts = {
  sectors: (picture) => "Its " + picture.lanes + " lanes touch " + picture.found + " sectors of 32 bytes. A row is a line of 128 bytes.",
  banks: (picture) => "Its " + picture.lanes + " lanes take " + picture.found + " wavefronts. A row is a wavefront, a column is a bank, a number is a lane.",
};

function drawPicture(picture) {
  const columns = picture.kind === "banks" ? [...Array(32).keys()] : ["0-31", "32-63", "64-95", "96-127"];
  const head = make("tr", {}, make("th", { scope: "col" }, picture.kind === "banks" ? "wavefront" : "line at"),
    ...columns.map((column) => make("th", { scope: "col" }, String(column))));
  const body = make("tbody");
  for (const row of picture.rows) {
    body.append(make("tr", { class: row.beyond ? "beyond" : null }, make("th", { scope: "row" }, row.name),
      ...row.cells.map((cell) => make("td", { class: cell ? "used" : null }, cell && cell.lanes,
        cell && cell.bytes ? make("small", {}, " (" + cell.bytes + " of 32 bytes)") : null))));
  }
  return [make("h4", {}, "The worst " + picture.operation + " of " + picture.bytes + " bytes at " + picture.file + ":" + picture.line),
    make("p", { class: "remark" }, pictureTexts[picture.kind](picture)),
    make("div", { class: "picture", role: "group", "aria-label": "lanes of an access by " + picture.kind, tabindex: "0" },
      make("table", { class: picture.kind }, make("thead", {}, head), body))];
}

function drawCounters(counters) {
  const section = make("section", { id: "counters" }, make("h2", {}, "Memory transactions"),
    make("p", { class: "soft" }, "A bar is a number of the source line: the light part is the ideal, the hatched part the excess" +
      (counters.compared ? ", and the thin bar below is the report before." : ".")),
    ...counters.notes.map((note) => make("p", { class: "note" }, note)));
  for (const kernel of counters.kernels) {
    const longest = longestBars(kernel);
    section.append(make("h3", { class: "kernel" }, kernel.kernel),
      ...(kernel.sentences.length ? kernel.sentences : ["The numbers are the ideal ones."]).map((text) => make("p", { class: "sentence" }, text)),
      ...(kernel.change ? [make("p", { class: "change" }, "Since the report before: " + kernel.change)] : []),
      ...kernel.files.map((file) => drawFile(file, longest)));
    for (const picture of kernel.pictures) section.append(...drawPicture(picture));
  }
  section.append(make("details", {}, make("summary", {}, "The numbers as text"), make("pre", { class: "text" }, counters.text)));
  return section;
}
