// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

// Makes an element. Texts of the input become text nodes and attributes, never markup.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

function triple(v) {
  return "(" + v.join(", ") + ")";
}

// The lines around a place, or null where the page has none.
function sourceOf(sources, place) {
  if (!place || !Object.hasOwn(sources, place)) return null;
  const excerpt = sources[place];
  const box = make("div", { class: "source", role: "group", "aria-label": "source at " + place, tabindex: "0" });
  excerpt.lines.forEach((line, i) => {
    const number = excerpt.first + i;
    const here = number === excerpt.line;
    box.append(make("div", { class: here ? "here" : null, "aria-current": here ? "true" : null },
      make("span", { class: "number" }, String(number)), line));
  });
  return box;
}
