// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

{
  const content = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  content.reports.forEach((report, i) => main.append(drawReport(report, i + 1, content.sources)));
  if (content.counts) main.append(drawCounters(content.counts));
  if (content.trace) main.append(drawTrace(content.trace));
}
