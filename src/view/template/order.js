// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

// Draws an order of threads: a column for each thread, or for adjacent threads that do the same, and a row for
// each step.
function drawOrder(order) {
  const lanes = [...new Set(order.steps.map((step) => step.lane))];
  const head = make("tr", {}, make("th", { scope: "col" }, "step"), ...lanes.map((lane) => make("th", { scope: "col" }, lane)));
  const body = make("tbody", {});
  let launch = null;
  order.steps.forEach((step, i) => {
    if (step.launch !== launch) {
      launch = step.launch;
      const kernel = order.kernels[String(launch)];
      body.append(make("tr", {}, make("th", { colspan: lanes.length + 1, scope: "rowgroup" },
        "launch " + launch + (kernel ? ", kernel " + kernel : ""))));
    }
    const row = make("tr", { class: "step" }, make("th", { scope: "row" }, String(i + 1)));
    for (const lane of lanes) {
      const runs = lane === step.lane;
      row.append(make("td", { class: runs ? (step.switched ? "runs switched" : "runs") : null },
        runs && step.switched ? make("strong", {}, "switch: ") : null, runs ? step.does + (step.place ? " " : "") : null,
        runs && step.place ? make("code", {}, step.place) : null));
    }
    body.append(row);
  });
  return make("div", { class: "order", role: "group", "aria-label": "the order of the threads", tabindex: "0" },
    make("table", {}, make("thead", {}, head), body));
}
