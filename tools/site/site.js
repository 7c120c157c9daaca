// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Search over headings and declarations, and the navigation of narrow windows.
const input = document.getElementById("search");
const results = document.getElementById("results");

function score(name, words) {
  const lower = name.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0) return -1;
    sum += (at === 0 ? 0 : /\W|_/.test(lower[at - 1]) ? 1 : 3) + lower.length / 100;
  }
  return sum;
}

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.replaceChildren();
  if (words.length === 0) return;
  const found = searchIndex
    .map((entry) => [score(entry[0], words), entry])
    .filter(([points]) => points >= 0)
    .sort((a, b) => a[0] - b[0])
    .slice(0, 12);
  for (const [, [name, href, what]] of found) {
    const link = document.createElement("a");
    link.href = siteBase + href;
    link.textContent = name;
    const kind = document.createElement("span");
    kind.textContent = what;
    const item = document.createElement("li");
    item.append(link, kind);
    results.append(item);
  }
}

input.addEventListener("input", show);
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    input.value = "";
    show();
  } else if (event.key === "Enter") {
    results.querySelector("a")?.click();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
});
document.getElementById("menu").addEventListener("click", () => document.body.classList.toggle("menu"));
document.querySelector("nav .here")?.scrollIntoView({ block: "nearest" });
