// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

// Slices by drawn line. A line is one depth of one row; its slices are sorted by start and do not overlap.
class Timeline {
  constructor(trace) {
    this.trace = trace;
    this.columns = trace.columns;
    this.lines = [];
    const depths = trace.rows.map(() => 0);
    this.columns.row.forEach((row, i) => { depths[row] = Math.max(depths[row], this.columns.depth[i] + 1); });
    this.firstLine = [];
    trace.rows.forEach((row, i) => {
      this.firstLine.push(this.lines.length);
      for (let depth = 0; depth < depths[i]; ++depth) this.lines.push({ row: i, depth, slices: [] });
    });
    this.columns.row.forEach((row, i) => this.lineOf(i).slices.push(i));
    const categories = new Map();
    for (const category of this.columns.category) {
      if (!categories.has(category)) categories.set(category, categories.size);
    }
    this.categories = categories;
    this.begin = 0;
    this.end = Math.max(trace.end, 0.001);
    this.selected = -1;
    this.top = 0;  // the first line that is drawn
    this.room = this.lines.length;  // lines that fit into the drawing
  }

  lineOf(i) { return this.lines[this.firstLine[this.columns.row[i]] + this.columns.depth[i]]; }
  lineNumber(i) { return this.firstLine[this.columns.row[i]] + this.columns.depth[i]; }
  text(column, i) { return this.trace.texts[this.columns[column][i]]; }
  stop(i) { return this.columns.start[i] + this.columns.duration[i]; }

  describe(i) {
    const row = this.trace.rows[this.columns.row[i]];
    const category = this.text("category", i);
    const details = this.text("arguments", i);
    return this.text("name", i) + ": " + this.columns.duration[i] + " us from " + this.columns.start[i] + " us, on " + row.thread +
      " of process " + row.process + (category ? "; " + category : "") + (details ? "; " + details : "");
  }

  // Index in `slices` of the first one that ends at `time` or later.
  firstAfter(slices, time) {
    let low = 0;
    let high = slices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.stop(slices[middle]) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Calls draw(x, width, slice) for the visible slices of a line. Slices that end in a pixel already drawn are left out, and a
  // search skips them, so the cost depends on the width of the drawing.
  visible(line, width, draw) {
    const perPixel = (this.end - this.begin) / width;
    const slices = line.slices;
    let at = this.firstAfter(slices, this.begin);
    while (at < slices.length && this.columns.start[slices[at]] <= this.end) {
      const i = slices[at];
      const x = Math.max((this.columns.start[i] - this.begin) / perPixel, 0);
      const stop = Math.min((this.stop(i) - this.begin) / perPixel, width);
      draw(x, Math.max(stop - x, 1), i);
      const next = this.firstAfter(slices, this.begin + (Math.floor(Math.max(stop, x)) + 1) * perPixel);
      at = Math.max(at + 1, stop - x >= 1 ? at + 1 : next);
    }
  }

  // Zooms by `factor` around a position from 0 to 1.
  zoom(factor, position) {
    const span = Math.min(Math.max((this.end - this.begin) * factor, 0.001), Math.max(this.trace.end, 0.001));
    const fixed = this.begin + (this.end - this.begin) * position;
    this.begin = fixed - span * position;
    this.end = this.begin + span;
    this.keepInside();
  }

  pan(part) {
    const step = (this.end - this.begin) * part;
    this.begin += step;
    this.end += step;
    this.keepInside();
  }

  keepInside() {
    const span = this.end - this.begin;
    this.begin = Math.max(0, Math.min(this.begin, Math.max(this.trace.end, 0.001) - span));
    this.end = this.begin + span;
  }

  // Shows lines further down by `count`, or further up if it is negative.
  scroll(count) {
    this.top = Math.max(0, Math.min(this.top + count, this.lines.length - this.room));
  }

  showAll() {
    this.begin = 0;
    this.end = Math.max(this.trace.end, 0.001);
  }

  // Selects the neighbour of the selected slice in its line, and moves it into view.
  step(direction) {
    if (this.selected < 0) return this.select(this.lines[0].slices[0]);
    const slices = this.lineOf(this.selected).slices;
    return this.select(slices[slices.indexOf(this.selected) + direction]);
  }

  // Selects the slice nearest in time in the line above or below.
  stepLine(direction) {
    if (this.selected < 0) return this.step(1);
    const line = this.lines[this.lineNumber(this.selected) + direction];
    if (!line) return;
    const near = this.firstAfter(line.slices, this.columns.start[this.selected]);
    this.select(line.slices[Math.min(near, line.slices.length - 1)]);
  }

  select(i) {
    if (i === undefined) return;
    this.selected = i;
    const line = this.lineNumber(i);
    if (line < this.top) this.scroll(line - this.top);
    if (line >= this.top + this.room) this.scroll(line - this.top - this.room + 1);
    const span = this.end - this.begin;
    if (this.columns.start[i] > this.end || this.stop(i) < this.begin) {
      this.begin = this.columns.start[i] - span / 2;
      this.end = this.begin + span;
      this.keepInside();
    }
  }

  // Multiples of 1, 2 or 5 times a power of ten in the visible time, at most `most` and one more: { times, step }.
  ticks(most) {
    const least = (this.end - this.begin) / most;
    const power = Math.pow(10, Math.floor(Math.log10(least)));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((wide) => wide >= least * (1 - 1e-9));
    const times = [];
    for (let i = Math.ceil(this.begin / step - 1e-9); i * step <= this.end + step * 1e-9; ++i) times.push(i * step);
    return { times, step };
  }

  // The `count` longest slices. Blocks count only where a trace has nothing else, because they lie inside of their
  // launches.
  longest(count) {
    const duration = this.columns.duration;
    const all = duration.map((_, i) => i);
    const others = all.filter((i) => this.text("category", i) !== "block");
    return (others.length ? others : all).sort((a, b) => duration[b] - duration[a]).slice(0, count);
  }
}
