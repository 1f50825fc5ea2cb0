// Sorting, filtering and drawing for the pages of a board. Everything shown is set as text, never as
// markup; the numbers come from data.js and slices.js beside the page, when something needs them.
"use strict";

(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // --- Light and dark -------------------------------------------------------------------------

  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = (() => {
    try { return localStorage.getItem("lt-bench-theme"); } catch { return null; }
  })();
  if (remembered === "dark" || remembered === "light") root.dataset.theme = remembered;
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : systemDark.matches;

  function themeButton() {
    const button = byId("theme");
    const label = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try { localStorage.setItem("lt-bench-theme", root.dataset.theme); } catch { /* not kept */ }
      label();
      document.dispatchEvent(new Event("themed"));
    });
    systemDark.addEventListener("change", () => {
      label();
      document.dispatchEvent(new Event("themed"));
    });
    label();
    button.hidden = false;
  }

  // --- Files beside the page ------------------------------------------------------------------

  const loading = new Map();

  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = document.body.dataset.root + name;
        script.onload = done;
        script.onerror = () => failed(new Error(`${name} is missing beside the page`));
        document.head.append(script);
      }));
    }
    return loading.get(name);
  }

  /** Calls `draw` once, when the element comes near the screen. */
  function whenNear(element, draw) {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      Promise.resolve(draw()).catch((error) => {
        element.prepend(make("p", "warning", error.message));
      });
    }, { rootMargin: "400px" });
    watch.observe(element);
  }

  function make(tag, look = "", text = "") {
    const element = document.createElement(tag);
    if (look) element.className = look;
    if (text) element.textContent = text;
    return element;
  }

  /** A name that may break behind its joints. */
  function breakable(name) {
    const whole = make("bdi");
    for (const part of name.split(/(?<=[:_])/)) whole.append(part, make("wbr"));
    return whole;
  }

  function nameOf(entry) {
    const cell = make("th", "words model");
    cell.scope = "row";
    const inside = document.createElement(entry.reported ? "span" : "a");
    if (!entry.reported) inside.href = `${document.body.dataset.root}models/${entry.id}.html`;
    inside.append(make("bdi", "", entry.name));
    cell.append(inside);
    return cell;
  }

  // --- Numbers in words: as the pages have them ----------------------------------------------

  const DECIMALS = { share: 1, tokens: 1, count: 2, characters: 0, seconds: 2, coefficient: 2 };
  const SIGNS = { share: "%", tokens: "tokens", TFLOP: "TFLOP", characters: "chars", seconds: "s" };

  function say(value, unit, like = value) {
    if (value === null || value === undefined) return "–";
    const decimals = DECIMALS[unit] ?? (like ? Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(like))))) : 0);
    return (value * (unit === "share" ? 100 : 1)).toFixed(decimals).replace("-", "−");
  }

  function sayChange(value, unit, like) {
    const text = say(value, unit, like);
    return text.startsWith("−") ? text : `+${text}`;
  }

  function sayInterval(low, high, unit, like) {
    return low === null || high === null ? "" : `${say(low, unit, like)} – ${say(high, unit, like)}`;
  }

  function heading(column) {
    const cell = make("th");
    cell.scope = "col";
    const up = column.better === "higher" ? "↑" : "↓";
    cell.append(make("span", "head"));
    cell.firstChild.append(breakable(column.name), "\u00a0");
    const arrow = make("span", "arrow", up);
    arrow.setAttribute("aria-hidden", "true");
    cell.firstChild.append(arrow);
    const unit = make("span", "unit");
    unit.append(make("span", "hidden", `${column.better} is better, `), SIGNS[column.unit] ?? column.unit);
    cell.append(unit);
    return cell;
  }

  // --- Sorting --------------------------------------------------------------------------------

  /** A click on a heading, or Enter on it, sorts by it; again turns the order. Missing is last. */
  function sortable(table) {
    all("thead th[data-column]", table).forEach((cell) => {
      const head = cell.querySelector(".head");
      const button = make("button", "sort");
      button.type = "button";
      button.append(...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const now = cell.getAttribute("aria-sort");
        const first = cell.dataset.better === "higher" || cell.dataset.column === "samples"
          ? "descending" : "ascending";
        const turned = first === "ascending" ? "descending" : "ascending";
        sort(table, cell, now === first ? turned : first);
        if (table.id === "results" && cell.dataset.kind) rankBy(cell.dataset.column);
      });
    });
  }

  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function sort(table, heading, order) {
    const at = [...heading.parentNode.children].indexOf(heading);
    const body = table.tBodies[0];
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row) => {
      const cell = row.cells[at];
      const words = heading.classList.contains("words");
      const value = words ? cell.textContent.trim() : cell.dataset.v === undefined ? null : Number(cell.dataset.v);
      return { row, value };
    });
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return sign * (typeof a.value === "string" ? collator.compare(a.value, b.value) : a.value - b.value);
    });
    if (table.id === "results" && !everyRow) rows.forEach(({ row }) => { row.hidden = true; });
    body.append(...rows.map((one) => one.row));
    if (table.id === "results") find();
    all("thead th[aria-sort]", table).forEach((cell) => {
      cell.setAttribute("aria-sort", cell === heading ? order : "none");
    });
  }

  // --- The table: ranks by any metric, finding, groups of metrics, slices ----------------------

  function rankBy(metric) {
    const table = byId("results");
    const at = all("thead th", table).findIndex((cell) => cell.dataset.column === metric);
    const shown = byId("ranked-by");
    if (at < 0 || shown === null) return;
    for (const row of table.tBodies[0].rows) fillRank(row.cells[0], row.cells[at].dataset);
    shown.textContent = `in ${metric}`;
    const picker = byId("rank-by");
    if (picker) picker.value = metric;
    if (table.querySelector("th.rank").getAttribute("aria-sort") !== "none") {
      table.querySelector("th.rank").setAttribute("aria-sort", "none");
    }
  }

  function fillRank(cell, figure) {
    cell.replaceChildren();
    if (figure.rank === undefined) {
      delete cell.dataset.v;
      cell.textContent = "–";
      return;
    }
    cell.dataset.v = figure.rank;
    const place = make("span", "place", figure.rank);
    if (figure.shared) {
      const equal = make("abbr", "", "=");
      equal.title = "shared with others";
      place.append(equal);
    }
    cell.append(place);
    if (figure.set) {
      const set = make("span", "set");
      set.append(make("span", "hidden", "may be "), figure.set);
      cell.append(" ", set);
    }
    if (figure.tie) cell.append(" ", make("span", "tie", `tie ${figure.tie}`));
  }

  // A browser lays out a hundred rows at once, and five hundred after a pause that is felt.
  const MOST_SHOWN = 100;
  let everyRow = false;

  const hit = (row, wanted) =>
    !wanted || (row.querySelector("th.model, th.words")?.textContent.toLowerCase().includes(wanted) ?? true);

  /** Hides the rows that are not looked for, and of the table those after the first hundred. */
  function find() {
    const wanted = byId("find").value.trim().toLowerCase();
    for (const table of all("#apart, #lengths, #differences, #slices")) {
      for (const row of table.tBodies[0].rows) row.hidden = !hit(row, wanted);
    }
    const rows = [...byId("results").tBodies[0].rows];
    const kept = rows.filter((row) => hit(row, wanted));
    const shown = new Set(everyRow ? kept : kept.slice(0, MOST_SHOWN));
    for (const row of rows) row.hidden = !shown.has(row);
    byId("found").textContent = wanted ? `${kept.length} of ${rows.length} models` : "";
    byId("show-all").hidden = shown.size === kept.length;
    byId("show-all").textContent = `Show all ${kept.length} models`;
  }

  function showKinds() {
    const shown = new Set(all("input[name=kind]:checked").map((one) => one.value));
    all("table.results [data-kind]").forEach((cell) => { cell.hidden = !shown.has(cell.dataset.kind); });
  }

  const original = new Map();

  /** Shows the figures over the rows of one slice; "" shows those over all rows again. */
  async function showSlice(name) {
    const table = byId("results");
    await Promise.all([load("data.js"), load("slices.js")]);
    const { entries, columns } = window.ltBench.board;
    const place = new Map(entries.map((one, at) => [one.id, at]));
    const figures = window.ltBench.slices[name] ?? {};
    table.classList.toggle("sliced", name !== "");
    all("thead th[data-kind]", table).forEach((head) => {
      const column = columns.find((one) => one.name === head.dataset.column);
      const at = [...head.parentNode.children].indexOf(head);
      for (const row of table.tBodies[0].rows) {
        const cell = row.cells[at];
        if (!original.has(cell)) original.set(cell, { nodes: [...cell.childNodes], v: cell.dataset.v });
        if (name) fillSlice(cell, figures[column.name]?.[place.get(row.dataset.entry)], column.unit);
        else restore(cell);
      }
    });
    const sorted = table.querySelector("thead th:not([aria-sort=none])");
    if (sorted) sort(table, sorted, sorted.getAttribute("aria-sort"));
    byId("found").textContent = name ? `figures over the rows of ${name}; ranks are over all rows` : "";
  }

  function fillSlice(cell, figure, unit) {
    const [value, low, high, n] = figure ?? [null, null, null, 0];
    if (value === null) delete cell.dataset.v;
    else cell.dataset.v = value;
    cell.replaceChildren(
      make("span", value === null ? "value none" : "value", say(value, unit)),
      make("span", "interval", sayInterval(low, high, unit, value || high)),
    );
    if (figure) cell.append(make("span", "interval", `n = ${n}`));
  }

  function restore(cell) {
    const kept = original.get(cell);
    cell.replaceChildren(...kept.nodes);
    if (kept.v === undefined) delete cell.dataset.v;
    else cell.dataset.v = kept.v;
  }

  function controls() {
    const form = byId("controls");
    if (!form) return;
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    byId("find").addEventListener("input", find);
    byId("show-all").addEventListener("click", () => { everyRow = true; find(); });
    find();
    byId("rank-by")?.addEventListener("change", (event) => {
      rankBy(event.target.value);
      sort(byId("results"), byId("results").querySelector("th.rank"), "ascending");
    });
    all("input[name=kind]").forEach((one) => one.addEventListener("change", showKinds));
    const picker = byId("slice");
    if (!picker) return;
    const fill = async () => {
      await load("slices.js");
      if (picker.options.length > 1) return;
      for (const name of Object.keys(window.ltBench.slices).sort(collator.compare)) picker.append(new Option(name, name));
    };
    whenNear(picker, fill);
    picker.addEventListener("change", () => showSlice(picker.value));
  }

  // --- Pareto plots ---------------------------------------------------------------------------

  /** Plotly reads tags and entities in texts: a name has none left. */
  const inert = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const short = (text) => text.length > 28 ? `${text.slice(0, 27)}…` : text;

  function paretos() {
    const part = byId("paretos");
    if (!part) return;
    whenNear(part, async () => {
      await Promise.all([load("data.js"), load("plotly.js")]);
      const { board } = window.ltBench;
      const picker = byId("pareto-quality");
      for (const name of new Set(board.paretos.map((one) => one.quality))) picker.append(new Option(name, name));
      byId("pareto-controls").hidden = false;
      const draw = () => all("figure", part).forEach((figure) => pareto(figure, picker.value));
      picker.addEventListener("change", draw);
      byId("pareto-log").addEventListener("change", draw);
      document.addEventListener("themed", draw);
      draw();
      all(".zoom", part).forEach((buttons) => {
        buttons.hidden = false;
        buttons.addEventListener("click", (event) => zoom(buttons.parentNode, event.target.dataset.zoom));
      });
    });
  }

  function pareto(figure, quality) {
    const { board } = window.ltBench;
    const cost = figure.dataset.cost;
    const found = board.paretos.find((one) => one.quality === quality && one.cost === cost);
    const plot = figure.querySelector(".plot");
    figure.querySelector("figcaption").textContent = `${quality} against ${cost}`;
    if (!found) { plot.replaceChildren(make("p", "note", "No run has both figures.")); return; }
    const column = (name) => board.columns.find((one) => one.name === name);
    const [x, y] = [column(cost), column(quality)];
    const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
    const tone = colours();
    const reported = board.entries.flatMap((one, at) => one.reported ? [at] : []);
    const has = (at) => board.values[cost][at]?.[0] != null && board.values[quality][at]?.[0] != null;
    const traces = [
      points(found.beaten.filter(has), "others", x, y, { color: tone.dim, size: 9, symbol: "circle-open", line: { width: 2 } }),
      { ...points(found.front.filter(has), "Pareto front", x, y, { color: tone.accent, size: 11 }),
        mode: "lines+markers+text", line: { shape: "hv", color: tone.accent, width: 1.5, dash: "dot" },
        textposition: "top right", textfont: { size: 11 } },
    ];
    const papers = reported.filter(has);
    if (papers.length) {
      traces.push({ ...points(papers, "reported in papers, not run here", x, y,
        { color: tone.warn, size: 10, symbol: "diamond-open", line: { width: 2 } }), visible: "legendonly" });
    }
    const axis = { gridcolor: tone.line, zeroline: false, linecolor: tone.line, automargin: true };
    const layout = {
      margin: { l: 56, r: 16, t: 10, b: 48 }, dragmode: "zoom", hovermode: "closest",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: tone.ink, family: "system-ui, sans-serif", size: 12 },
      hoverlabel: { bgcolor: tone.ground, bordercolor: tone.line, font: { color: tone.ink } },
      legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom", x: 0 }, showlegend: true,
      xaxis: { ...axis, title: { text: title(x) }, type: byId("pareto-log").checked ? "log" : "linear" },
      yaxis: { ...axis, title: { text: title(y) } },
    };
    window.Plotly.react(plot, traces, layout, { responsive: true, displaylogo: false, displayModeBar: false, doubleClick: "reset" });
    if (!plot.dataset.linked) {
      plot.dataset.linked = "1";
      plot.on("plotly_click", (event) => {
        const entry = board.entries[event.points[0].customdata];
        if (entry && !entry.reported) location.href = `models/${entry.id}.html`;
      });
    }
  }

  const title = (column) => [inert(column.name), SIGNS[column.unit]].filter(Boolean).join(", ");

  /** What the custom properties come to: light-dark() is resolved only where a colour is used. */
  function colours() {
    const probe = make("span");
    document.body.append(probe);
    const found = {};
    for (const name of ["ink", "dim", "line", "ground", "accent", "warn"]) {
      probe.style.color = `var(--${name})`;
      found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return found;
  }

  function points(places, name, x, y, marker) {
    const { entries, values } = window.ltBench.board;
    const of = (column, at) => values[column.name][at];
    const scale = (column) => column.unit === "share" ? 100 : 1;
    const ends = (column) => {
      const size = scale(column);
      const found = places.map((at) => of(column, at));
      return {
        type: "data", symmetric: false, thickness: 1, width: 0,
        array: found.map(([value, , high]) => high === null ? 0 : (high - value) * size),
        arrayminus: found.map(([value, low]) => low === null ? 0 : (value - low) * size),
      };
    };
    const told = (column, at) => {
      const [value, low, high] = of(column, at);
      const range = sayInterval(low, high, column.unit, value || high);
      return `${inert(column.name)} ${say(value, column.unit)}${range ? ` [${range}]` : ""}`;
    };
    return {
      type: "scatter", mode: "markers", name, marker, customdata: places,
      x: places.map((at) => of(x, at)[0] * scale(x)), y: places.map((at) => of(y, at)[0] * scale(y)),
      error_x: ends(x), error_y: ends(y),
      text: places.map((at) => inert(short(entries[at].name))),
      hovertext: places.map((at) => [`<b>${inert(entries[at].name)}</b>`, told(y, at), told(x, at), inert(entries[at].reported ?? "")].filter(Boolean).join("<br>")),
      hoverinfo: "text",
    };
  }

  function zoom(figure, how) {
    const plot = figure.querySelector(".plot");
    if (!how || !plot.layout) return;
    if (how === "all") {
      window.Plotly.relayout(plot, { "xaxis.autorange": true, "yaxis.autorange": true });
      return;
    }
    const factor = how === "in" ? 0.6 : 1 / 0.6;
    const narrowed = ([low, high]) => {
      const [middle, half] = [(low + high) / 2, (high - low) / 2 * factor];
      return [middle - half, middle + half];
    };
    window.Plotly.relayout(plot, {
      "xaxis.range": narrowed(plot.layout.xaxis.range), "yaxis.range": narrowed(plot.layout.yaxis.range),
    });
  }

  // --- Differences to a reference -------------------------------------------------------------

  let pairIndex = null;

  /** metric -> "first second" -> [difference, low, high, p, rows] of the first less the second. */
  function pairs() {
    if (pairIndex) return pairIndex;
    pairIndex = new Map();
    for (const [metric, found] of Object.entries(window.ltBench.board.pairs)) {
      const index = new Map();
      const minus = (value) => value === null ? null : -value;
      for (const [a, b, difference, low, high, p, rows] of found) {
        index.set(`${a} ${b}`, [difference, low, high, p, rows]);
        index.set(`${b} ${a}`, [minus(difference), minus(high), minus(low), p, rows]);
      }
      pairIndex.set(metric, index);
    }
    return pairIndex;
  }

  /** How wide a scale must be, to either side of 0, for these differences. */
  function reach(found) {
    const ends = found.filter(Boolean).flatMap(([value, low, high]) => [value, low ?? value, high ?? value]);
    const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const pad = (most - least) * 0.06 || 1;
    return [least - pad, most + pad];
  }

  function driftCell(found, column, [least, most]) {
    const cell = make("td");
    if (!found) { cell.append(make("span", "value none", "–")); return cell; }
    const [value, low, high, p] = found;
    const told = p !== null && p !== undefined && p <= 0.05;
    const good = (value > 0) === (column.better === "higher");
    const look = !told ? "even" : good ? "better" : "worse";
    const like = Math.max(Math.abs(value), Math.abs(low ?? 0), Math.abs(high ?? 0));
    const text = make("span", told ? `value ${look}` : "value", sayChange(value, column.unit, like));
    if (told) text.append(make("span", "word", ` ${look}`));
    cell.append(text);
    if (low !== null && high !== null) {
      cell.append(make("span", "interval", `${sayChange(low, column.unit, like)} to ${sayChange(high, column.unit, like)}`));
    }
    const at = (number) => `${((number - least) / (most - least) * 100).toFixed(2)}%`;
    const bar = make("i", `drift ${look}${told ? " told" : ""}`);
    bar.setAttribute("aria-hidden", "true");
    bar.style.setProperty("--z", at(0));
    bar.style.setProperty("--v", at(value));
    bar.style.setProperty("--l", at(low ?? value));
    bar.style.setProperty("--w", `${(((high ?? value) - (low ?? value)) / (most - least) * 100).toFixed(2)}%`);
    bar.append(make("b"), make("s"));
    cell.append(bar);
    return cell;
  }

  function differences() {
    const table = byId("differences");
    if (!table) return;
    whenNear(table, async () => {
      await load("data.js");
      const picker = byId("reference");
      byId("differences-controls").hidden = false;
      picker.addEventListener("change", () => forest(table, picker.value));
      forest(table, picker.value);
    });
  }

  function forest(table, reference) {
    const { board } = window.ltBench;
    const here = board.entries.findIndex((one) => one.id === reference);
    const order = all("#reference option").map((one) => one.value);
    const columns = Object.keys(board.pairs).map((name) => board.columns.find((one) => one.name === name));
    const rows = order.map((id) => board.entries.findIndex((one) => one.id === id));
    const found = columns.map((column) => rows.map((at) => pairs().get(column.name).get(`${at} ${here}`)));
    const scales = found.map(reach);
    const head = make("tr");
    const first = make("th", "words model", "model less reference");
    first.scope = "col";
    head.append(first, ...columns.map((column) => heading(column)));
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(...rows.map((at, place) => {
      const row = make("tr", at === here ? "reference" : "");
      row.dataset.entry = board.entries[at].id;
      row.append(nameOf(board.entries[at]));
      columns.forEach((column, number) => {
        if (at === here) row.append(make("td", "", number ? "" : "reference"));
        else row.append(driftCell(found[number][place], column, scales[number]));
      });
      return row;
    }));
    table.caption.textContent = `Mean differences to ${board.entries[here].name}, 95 % intervals`;
  }

  /** Ablations: the bars as they stand in the page, or differences to one of them. */
  function ablations() {
    all("[data-ablation]").forEach((part) => {
      const picker = part.querySelector(".against");
      const table = part.querySelector("table");
      const values = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
      part.querySelector(".controls").hidden = false;
      picker.addEventListener("change", async () => {
        await load("data.js");
        const heads = [...table.tHead.rows[0].cells].slice(1).map((cell) => ({
          name: cell.dataset.column, unit: cell.dataset.unit, better: cell.dataset.better }));
        const rows = [...table.tBodies[0].rows];
        const base = rows.findIndex((row) => row.dataset.entry === picker.value);
        const found = heads.map((column, at) => rows.map((row, place) =>
          picker.value ? change(row.dataset.entry, picker.value, column.name, values[place][at], values[base][at]) : null));
        const scales = found.map(reach);
        rows.forEach((row, place) => {
          row.classList.toggle("reference", place === base);
          const cells = !picker.value ? values[place] : heads.map((column, at) =>
            place === base ? make("td", "", "reference") : driftCell(found[at][place], column, scales[at]));
          row.replaceChildren(row.cells[0], ...cells);
        });
      });
    });
  }

  function change(entry, reference, metric, cell, base) {
    const place = (id) => window.ltBench.board.entries.findIndex((one) => one.id === id);
    const tested = pairs().get(metric)?.get(`${place(entry)} ${place(reference)}`);
    if (tested) return tested;
    if (cell.dataset.v === undefined || base.dataset.v === undefined) return null;
    return [Number(cell.dataset.v) - Number(base.dataset.v), null, null, null, null];
  }

  // --- Slices ---------------------------------------------------------------------------------

  const MOST_ROWS = 30;

  function slices() {
    const table = byId("slices");
    if (!table) return;
    whenNear(table, async () => {
      await Promise.all([load("data.js"), load("slices.js")]);
      const picker = byId("slice-metric");
      const known = new Set(Object.values(window.ltBench.slices).flatMap(Object.keys));
      const { columns } = window.ltBench.board;
      for (const one of columns.filter((column) => known.has(column.name))) picker.append(new Option(one.name, one.name));
      byId("slices-controls").hidden = false;
      picker.addEventListener("change", () => heat(table, picker.value));
      if (picker.value) heat(table, picker.value);
    });
  }

  function heat(table, metric) {
    const { board, slices: found } = window.ltBench;
    const column = board.columns.find((one) => one.name === metric);
    const names = Object.keys(found).filter((name) => found[name][metric]).sort(collator.compare);
    const whole = board.values[metric];
    const rows = board.entries.flatMap((one, at) => !one.reported && !one.apart && names.some((name) => found[name][metric][at]) ? [at] : []);
    const head = make("tr");
    const first = make("th", "words model", "model");
    first.scope = "col";
    const every = make("th", "", "all rows");
    every.scope = "col";
    head.append(first, every, ...names.map((name) => {
      const cell = make("th");
      cell.scope = "col";
      cell.append(breakable(name.replace(/^tag:/, "")));
      return cell;
    }));
    table.tHead.replaceChildren(head);
    const shown = rows.slice(0, MOST_ROWS);
    const away = shown.flatMap((at) => names.map((name) => distance(found[name][metric][at], whole[at])));
    const most = Math.max(...away.map(Math.abs), 1e-12);
    table.tBodies[0].replaceChildren(...shown.map((at) => {
      const row = make("tr");
      row.append(nameOf(board.entries[at]), heatCell(whole[at], column, 0));
      for (const name of names) {
        const figure = found[name][metric][at];
        row.append(heatCell(figure, column, distance(figure, whole[at]) / most));
      }
      return row;
    }));
    table.caption.textContent = `Mean ${metric} by slice${column.unit in SIGNS ? `, ${SIGNS[column.unit]}` : ""}`;
    const more = byId("slices-more");
    more.hidden = rows.length <= MOST_ROWS;
    more.textContent = `The first ${MOST_ROWS} of ${rows.length} models; the page of each has its slices.`;
  }

  const distance = (figure, whole) =>
    figure?.[0] == null || whole?.[0] == null ? 0 : figure[0] - whole[0];

  function heatCell(figure, column, share) {
    const cell = make("td");
    const [value, low, high, n] = figure ?? [null, null, null, null];
    cell.append(make("span", value === null ? "value none" : "value", say(value, column.unit)));
    if (value === null) return cell;
    const range = sayInterval(low, high, column.unit, value || high);
    if (range) cell.append(make("span", "interval", range));
    cell.title = `${n} rows`;
    if (share) {
      cell.className = (share > 0) === (column.better === "higher") ? "up" : "down";
      cell.style.setProperty("--mix", `${Math.round(Math.abs(share) * 70)}%`);
    }
    return cell;
  }

  // --- Links into parts that are shown by scrolling --------------------------------------------

  document.addEventListener("DOMContentLoaded", () => {
    themeButton();
    all("table.sortable").forEach(sortable);
    controls();
    paretos();
    differences();
    ablations();
    slices();
  });
})();
