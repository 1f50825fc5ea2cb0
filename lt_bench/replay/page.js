"use strict";
// Builds the page from its data. Text becomes text nodes only: nothing in the data is ever read as markup.
const DATA = JSON.parse(document.getElementById("data").textContent);
const CODES = new Map(DATA.codes.map(([code, name, aim]) => [code, { name, aim }]));
const BY_ANCHOR = new Map(DATA.rows.map((row) => [row.a, row]));
const TWO = DATA.runs.length > 1;
const LETTERS = ["A", "B"];
const VERDICTS = DATA.verdicts;
const OWN_FIELDS = new Set(["class", "text", "style", "on"]);
let current = null;
let visible = DATA.rows.slice();
const AT_ONCE = 50; // lines of the list that are drawn before the first row is shown
let later = 0;

function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "text") node.textContent = value;
    else if (key === "style") for (const [name, set] of Object.entries(value)) node.style.setProperty(name, set);
    else if (key === "on") for (const [name, act] of Object.entries(value)) node.addEventListener(name, act);
    else if (!OWN_FIELDS.has(key)) node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(2)) {
    if (child !== null && child !== undefined && child !== false && child !== "") node.append(child);
  }
  return node;
}

const number = (value, digits = 3) =>
  Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(digits)));
const seconds = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
const colour = (code) => ({ "--c": `var(--${code})` });
const letter = (run) => (TWO ? el("span", { class: `dot b${run}`, text: LETTERS[run] }) : null);
const anchorOf = (row) => `#${encodeURIComponent(row.a)}`;
const label = (text) => el("div", { class: "lab", text });
const example = (row) => (row.x === null ? null : DATA.ex[row.x]);
const code = (side) => side.dx[0][0];
const scoreOf = (side, name) => {
  if (!side) return null;
  if (name === "tokens") return side.tok ?? null;
  if (name === "seconds") return side.sec ?? null;
  return Object.hasOwn(side.sc || {}, name) ? side.sc[name][0] : null;
};

function pill(key, run, extra) {
  const mark = run === undefined || !TWO ? null : el("span", { class: "n", text: LETTERS[run] });
  return el("span", { class: "pill", style: colour(key) }, mark, CODES.get(key).name, extra);
}

// --- head ---------------------------------------------------------------------------------------

function drawHead() {
  const theme = el("button", { type: "button", text: "Light / dark", on: { click: toggleTheme } });
  const shown = DATA.rows.length < DATA.total ? `${number(DATA.rows.length)} of ${number(DATA.total)} rows` : `${number(DATA.total)} rows`;
  const runs = DATA.runs.map((run, index) => drawRun(run, index));
  document.getElementById("top").append(
    el("div", { class: "head" }, el("h1", { text: "Replay" }), el("span", { class: "dim small", text: `${DATA.task} · ${shown} · ${DATA.made}` }), theme),
    el("div", { class: TWO ? "runs" : "runs single" }, runs),
  );
}

function drawRun(run, index) {
  const bar = el("div", { class: "bar shares", role: "img", "aria-label": shares(run) });
  for (const [key] of CODES) {
    const count = run.counts[key];
    if (count) bar.append(el("i", { style: { ...colour(key), flex: String(count) }, title: `${CODES.get(key).name}: ${count}` }));
  }
  const means = Object.entries(run.means).filter(([, value]) => value !== null).map(([name, value]) =>
    el("span", null, el("span", { class: "dim", text: `${name} ` }), el("b", { text: number(value) })),
  );
  return el("section", { "aria-label": `Run ${run.name}` },
    el("div", { class: "run-name" }, letter(index), el("b", { text: run.name }), el("span", { class: "dim small text", text: run.model })),
    bar,
    el("div", { class: "means" }, means, run.judge && el("span", { class: "dim", text: `judged by ${run.judge}` })),
    run.problems.map((text) => el("p", { class: "problem", text })),
  );
}

const shares = (run) =>
  [...CODES].filter(([key]) => run.counts[key]).map(([key, { name }]) => `${run.counts[key]} ${name}`).join(", ");

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("lt-bench-theme", root.dataset.theme); } catch { /* no storage for this file */ }
}

function rememberedTheme() {
  try {
    const kept = localStorage.getItem("lt-bench-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch { /* no storage for this file */ }
}

// --- list and filters ---------------------------------------------------------------------------

const state = { find: "", codes: new Set(), tag: "", score: "", side: "below", limit: null, differing: false, sort: "" };
const texts = new Map();
const items = new Map();

function option(value, text) {
  return el("option", { value, text });
}

function chooser(name, options, set) {
  return el("select", { "aria-label": name, on: { change: (event) => { set(event.target.value); refresh(); } } },
    options.map(([value, text]) => option(value, text)));
}

function drawFilters() {
  const find = el("input", { type: "search", placeholder: "Search rows  ( / )", "aria-label": "Search question, reasoning and reply", id: "find",
    on: { input: (event) => { state.find = event.target.value.toLowerCase(); refresh(); } } });
  const counts = new Map();
  for (const row of DATA.rows) {
    row.r.forEach((one, side) => {
      if (!one) return;
      const key = code(one);
      if (!counts.has(key)) counts.set(key, row.r.map(() => 0));
      counts.get(key)[side] += 1;
    });
  }
  const counted = (sides) => TWO ? sides.map((count, side) => `${"AB"[side]} ${count}`).join(" · ") : String(sides[0]);
  const chips = [...CODES].filter(([key]) => counts.has(key)).map(([key, { name, aim }]) =>
    el("button", { type: "button", class: "pill", "aria-pressed": "false", "data-code": key, style: colour(key), title: aim ? `work on: ${aim}` : null,
      on: { click: (event) => toggleCode(key, event.currentTarget) } }, name, el("span", { class: "n", text: counted(counts.get(key)) })));
  const tags = [...new Set(DATA.ex.flatMap((one) => [...one.tags, `lang:${one.lang}`]))].sort();
  const sorts = [
    ...(TWO ? [["", "differing first"], ["data", "order of the data"]] : [["", "order of the data"]]),
    ["worst", "worst first"], ["tokens", "most tokens first"], ["slow", "slowest first"],
    ...(TWO ? [["saved", "largest difference in tokens"]] : []),
  ];
  const limit = el("input", { type: "number", step: "any", placeholder: "0.5", "aria-label": "Limit of the score",
    on: { input: (event) => { state.limit = event.target.value === "" ? null : Number(event.target.value); refresh(); } } });
  document.getElementById("filters").append(
    find,
    el("div", { class: "chips", role: "group", "aria-label": "Diagnosis" }, chips),
    el("details", { open: innerWidth > 760 }, el("summary", { text: "Tag, score, order" }),
      el("div", { class: "fields" },
        tags.length > 0 && chooser("Tag", [["", "any tag"], ...tags.map((tag) => [tag, tag])], (value) => { state.tag = value; }),
        chooser("Order", sorts, (value) => { state.sort = value; }),
        chooser("Score", [["", "any score"], ...[...DATA.scores, "tokens", "seconds"].map((name) => [name, name])], (value) => { state.score = value; }),
        chooser("Below or above", [["below", "below"], ["above", "above"]], (value) => { state.side = value; }),
        limit),
      TWO && el("label", { class: "check" }, el("input", { type: "checkbox", on: { change: (event) => { state.differing = event.target.checked; refresh(); } } }), "only rows whose quality or diagnosis differs"),
    ),
  );
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
}

function toggleCode(key, button) {
  if (!state.codes.delete(key)) state.codes.add(key);
  button.setAttribute("aria-pressed", String(state.codes.has(key)));
  refresh();
}

function wordsOf(row) {
  if (!texts.has(row)) {
    const of = example(row);
    const parts = [row.id, of ? of.q : ""];
    for (const side of row.r) for (const turn of (side && side.t) || []) parts.push(turn.think || "", turn.say);
    texts.set(row, parts.join("\n").toLowerCase());
  }
  return texts.get(row);
}

function meets(row, side) {
  if (!side) return false;
  if (state.codes.size && !side.dx.some(([key]) => state.codes.has(key))) return false;
  if (!state.score || state.limit === null) return true;
  const value = scoreOf(side, state.score);
  return value !== null && (state.side === "below" ? value < state.limit : value > state.limit);
}

function holds(row) {
  const of = example(row);
  if (state.tag && !(of && (of.tags.includes(state.tag) || `lang:${of.lang}` === state.tag))) return false;
  if (state.differing && row.w < 2) return false;
  if (state.find && !wordsOf(row).includes(state.find)) return false;
  return row.r.some((side) => meets(row, side));
}

const tokensOf = (row) => Math.max(...row.r.map((side) => scoreOf(side, "tokens") ?? -1));
const secondsOf = (row) => Math.max(...row.r.map((side) => scoreOf(side, "seconds") ?? -1));
const qualityOf = (row) => Math.min(...row.r.map((side) => (side && side.q ? scoreOf(side, side.q) : null) ?? 2));
const savedOf = (row) => {
  const [one, other] = row.r.map((side) => scoreOf(side, "tokens"));
  return one === null || other === null || other === undefined ? -1 : Math.abs(one - other);
};
const ORDERS = {
  "": null,
  data: (one, other) => (one.x ?? 1e9) - (other.x ?? 1e9) || one.n - other.n,
  worst: (one, other) => qualityOf(one) - qualityOf(other),
  tokens: (one, other) => tokensOf(other) - tokensOf(one),
  slow: (one, other) => secondsOf(other) - secondsOf(one),
  saved: (one, other) => savedOf(other) - savedOf(one),
};

function refresh() {
  visible = DATA.rows.filter(holds);
  const order = ORDERS[state.sort];
  if (order) visible.sort(order);
  document.getElementById("list").replaceChildren(...visible.slice(0, AT_ONCE).map(item));
  clearTimeout(later);
  if (visible.length > AT_ONCE) later = setTimeout(drawRest);
  const word = visible.length === 1 ? "row" : "rows";
  document.getElementById("count").textContent = visible.length === DATA.rows.length ? `${number(visible.length)} ${word}` : `${number(visible.length)} of ${number(DATA.rows.length)} rows`;
  mark();
}

function drawRest() {
  document.getElementById("list").append(...visible.slice(AT_ONCE).map(item));
  mark();
}

function item(row) {
  if (items.has(row)) return items.get(row);
  const of = example(row);
  const counted = row.r.some((side) => side && side.tok !== undefined);
  const tokens = row.r.map((side) => (side && side.tok !== undefined ? number(side.tok) : "–")).join(" | ");
  const node = el("li", null, el("a", { href: anchorOf(row) },
    el("div", { class: "li-top" }, el("span", { text: row.a }), counted && el("span", { text: `${tokens} tok` })),
    el("div", { class: "li-q", text: of ? of.q || "(no question)" : "(its question is not in the data)" }),
    el("div", { class: "li-dx" }, row.r.map((side, run) => side && pill(code(side), run)),
      TWO && row.w >= 2 && el("span", { class: "ne", text: "≠", title: row.w === 3 ? "quality differs" : "diagnosis differs" })),
  ));
  items.set(row, node);
  return node;
}

function mark() {
  for (const link of document.querySelectorAll("#list a[aria-current]")) link.removeAttribute("aria-current");
  const node = current && items.get(current);
  if (node && node.isConnected) {
    node.firstChild.setAttribute("aria-current", "true");
    const list = document.getElementById("list");
    const [box, place] = [list.getBoundingClientRect(), node.getBoundingClientRect()];
    if (place.top < box.top || place.bottom > box.bottom) node.scrollIntoView({ block: "nearest" });
  }
}

// --- marked text --------------------------------------------------------------------------------

const GOLD = { required: "gold: the reply must state this", answer: "gold: an answer", helpful: "gold: helps", forbidden: "gold: must not be said" };

function marked(text, marks) {
  // marks: [start, end, kind, claim, run]
  const cuts = [...new Set([0, text.length, ...marks.flatMap(([start, end]) => [start, end])])].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  const nodes = [];
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    const [start, end] = [cuts[at], cuts[at + 1]];
    const over = marks.filter(([from, to]) => from <= start && end <= to);
    nodes.push(over.length ? piece(text.slice(start, end), over, end) : document.createTextNode(text.slice(start, end)));
  }
  return nodes;
}

function piece(text, over, end) {
  const kinds = over.map(([, , kind, claim]) => (claim ? `claim ${kind}` : kind));
  const about = over.map(([, , kind, claim, run]) => (claim ? `${TWO ? `${LETTERS[run]}, ` : ""}claim ${claim}: ${VERDICTS[kind]}` : GOLD[kind]));
  const keys = over.filter(([, , , claim]) => claim).map(([, , , claim, run]) => `${run}-${claim}`);
  const node = el("mark", { class: [...new Set(kinds)].join(" "), title: [...new Set(about)].join("\n"), "data-k": keys.join(" ") || null, text });
  for (const [, to, kind, claim, run] of over) {
    if (claim && to === end) node.append(el("sup", { class: `ref ${kind}`, text: `${TWO ? LETTERS[run] : ""}${claim}` }));
  }
  return node;
}

function light(event) {
  const target = event.target.closest ? event.target.closest("[data-k]") : null;
  const keys = new Set(target ? target.dataset.k.split(" ") : []);
  for (const node of document.querySelectorAll("#row [data-k]")) {
    node.classList.toggle("lit", node.dataset.k.split(" ").some((key) => keys.has(key)));
  }
}

// --- one row ------------------------------------------------------------------------------------

function show(row) {
  current = row;
  const main = document.getElementById("row");
  main.replaceChildren(...(row ? drawRow(row) : [el("p", { class: "empty", text: missing() })]));
  document.body.classList.toggle("open", Boolean(row));
  document.title = row ? `${row.a} · Replay` : "Replay";
  mark();
}

function missing() {
  if (!DATA.rows.length) return "There is no row to show.";
  return location.hash.length > 1 ? `No row of this page is called ${wanted()}.` : "Choose a row.";
}

function drawRow(row) {
  const of = example(row);
  const sides = row.r.map((side, run) => drawSide(row, side, run));
  return [
    drawBar(row, of),
    of ? drawRoom(of) : el("p", { class: "problem", text: "The question and the evidence of this row are not in the data at hand." }),
    el("div", { class: TWO ? "body two" : "body one" },
      el("div", { class: TWO ? "sides two" : "sides" }, sides),
      of && el("div", { class: "evidence" }, drawEvidence(row, of), drawGold(of))),
    el("p", { class: "keys" }, el("kbd", { text: "j" }), " next row, ", el("kbd", { text: "k" }), " row before, ", el("kbd", { text: "/" }), " search, ", el("kbd", { text: "t" }), " light or dark. Point at a claim to see what it rests on."),
  ];
}

function drawBar(row, of) {
  const place = visible.indexOf(row);
  const others = DATA.rows.filter((one) => one.id === row.id);
  const samples = others.length > 1 && el("div", { class: "samples" }, el("span", { class: "dim small", text: "samples" }),
    others.sort((a, b) => a.n - b.n).map((one) => {
      const first = one.r.find(Boolean);
      return el("a", { href: anchorOf(one), "aria-current": one === row ? "true" : null }, el("span", { class: "pill", style: colour(code(first)), title: CODES.get(code(first)).name, text: String(one.n) }));
    }));
  return el("div", { class: "bar-top" },
    el("a", { class: "back", href: "#", text: "← rows" }),
    el("h2", null, el("a", { href: anchorOf(row), title: "A link to this row", text: row.a })),
    samples,
    el("span", { class: "dim small", text: place < 0 ? "" : `${place + 1} of ${visible.length}` }),
    el("button", { type: "button", text: "↑", "aria-label": "Row before", on: { click: () => step(-1) } }),
    el("button", { type: "button", text: "↓", "aria-label": "Next row", on: { click: () => step(1) } }),
    of && el("div", { class: "tags" }, [...of.tags, of.lang].map((tag) => el("span", { class: "tag", text: tag }))));
}

function drawRoom(of) {
  const lines = of.h.map(([role, name, text]) => {
    const mine = of.viewer && name === of.viewer;
    const kind = mine ? "mine" : role === "host" || role === "assistant" ? "host" : role;
    return el("div", { class: `said ${kind}` }, el("span", { class: "who", text: name ? (role === "host" ? `${name} (host)` : name) : role }), el("span", { class: "text", text }));
  });
  return el("section", { class: "room", "aria-label": "Dialogue" }, lines,
    el("div", { class: "ask text" }, el("span", { class: "who", text: of.viewer ? `${of.viewer} asks` : "question" }), of.q || "(empty)"));
}

function drawSide(row, side, run) {
  if (!side) {
    return el("section", { class: `side b${run}` }, el("div", { class: "cap" }, letter(run), el("b", { text: DATA.runs[run].name })), el("p", { class: "empty", text: "This run does not ask this row." }));
  }
  const main = code(side);
  return el("section", { class: `side b${run}`, "aria-label": `Answer of ${DATA.runs[run].name}` },
    el("div", { class: "cap" }, letter(run), el("b", { text: DATA.runs[run].name }), pill(main), side.st && side.st !== "ok" && el("span", { class: "tag", text: side.st })),
    el("div", { class: "inner" },
      drawWhy(side),
      side.fail && el("div", null, label("failed"), el("div", { class: "text small", text: `${side.fail[0]} after ${side.fail[2]} ${side.fail[2] === 1 ? "attempt" : "attempts"}: ${side.fail[1]}` })),
      (side.t || []).map((turn, index) => drawTurn(turn, index, side.t.length, run, side)),
      drawClaims(side, run),
      drawCost(row, side),
      drawScores(row, side, run),
      drawVerdicts(side)));
}

function drawWhy(side) {
  const [[main, why], ...also] = side.dx;
  if (main === "right" && !also.length) return null;
  const aim = CODES.get(main).aim;
  return el("div", { class: "why", style: colour(main) },
    why && el("span", { class: "text", text: why }), aim && el("span", { class: "aim", text: `${why ? "  → " : "→ "}${aim}` }),
    also.length > 0 && el("div", { class: "dim small" }, "also ", also.map(([key], index) => [index ? ", " : "", CODES.get(key).name])));
}

function drawTurn(turn, index, total, run, side) {
  const last = index === total - 1;
  const thought = turn.think ?? null;
  const parts = [total > 1 && label(`turn ${index + 1} of ${total}`)];
  if (thought !== null) parts.push(el("details", { open: true }, el("summary", { text: `reasoning${turn.u && turn.u[2] !== null ? ` · ${number(turn.u[2])} tokens` : ""}` }), el("div", { class: "think text", text: thought || "(empty)" })));
  else if (last) parts.push(el("div", { class: "dim small", text: "no reasoning" }));
  const marks = (turn.m || []).map((one) => [...one, run]);
  if (turn.say || last) parts.push(el("div", null, label(last ? "reply" : "said"), el("div", { class: turn.say.trim() ? "reply text" : "reply none" }, turn.say.trim() ? marked(turn.say, marks) : "(nothing was said)")));
  for (const [name, args, bad] of turn.calls || []) {
    parts.push(el("div", { class: bad ? "call bad" : "call" }, label(bad ? "call, malformed" : "call"), el("span", { class: "fn", text: name }), " ", el("span", { class: "text", text: args })));
  }
  for (const [text, places, bad] of turn.res || []) {
    parts.push(el("div", { class: bad ? "res bad" : "res" }, label(bad ? "result, error" : "result"), el("span", { class: "text" }, marked(text, places.map((one) => [...one, run])))));
  }
  const facts = [turn.fin !== "stop" && turn.fin !== "tool_calls" && `ended by ${turn.fin}`, turn.tries && `${turn.tries} attempts`].filter(Boolean).join(", ");
  if (facts) parts.push(el("div", { class: "dim small", text: facts }));
  if (last && side.end) parts.push(el("div", { class: "dim small", text: `end state ${side.end}` }));
  for (const note of turn.notes || []) parts.push(el("div", { class: "small" }, el("span", { class: "tag", text: note }), " ", el("span", { class: "dim", text: DATA.notes[note] || "" })));
  if (turn.raw) parts.push(el("details", null, el("summary", { text: "as generated, markup included" }), el("div", { class: "think text", text: turn.raw })));
  return el("div", { class: "step" }, parts);
}

function drawClaims(side, run) {
  if (!side.cl) return null;
  const lines = side.cl.map(([text, verdict, where, words], index) =>
    el("li", { class: verdict, "data-k": `${run}-${index + 1}`, tabindex: "0" },
      el("span", { class: "text", text }), " ", el("span", { class: "vd", text: `${index + 1} ${VERDICTS[verdict]}` }),
      words && el("span", { class: "ev text", text: `${where || "?"}: “${words}”` })));
  return el("div", null, label("claims"), el("ul", { class: "claims" }, lines));
}

function drawCost(row, side) {
  const rows = [];
  const usages = (side.t || []).map((turn) => turn.u);
  if (side.tok !== undefined && usages.every(Boolean)) rows.push(...tokenBar(row, side, usages));
  if (side.sec !== undefined) rows.push(...timeBar(row, side));
  return rows.length ? el("div", { class: "meter" }, rows) : side.t && el("div", { class: "dim small", text: "tokens not counted" });
}

function bar(parts, whole, name) {
  const used = parts.reduce((sum, [, value]) => sum + value, 0);
  const rest = Math.max(0, whole - used);
  const node = el("div", { class: "bar", role: "img", "aria-label": name });
  for (const [hue, value] of parts) if (value > 0) node.append(el("i", { style: { "--c": `var(--${hue})`, flex: String(value) } }));
  if (rest) node.append(el("i", { style: { "--c": "transparent", flex: String(rest), "min-width": "0" } }));
  return node;
}

function tokenBar(row, side, usages) {
  const sum = (place) => usages.reduce((total, one) => (total === null || one[place] === null ? null : total + one[place]), 0);
  const [prompt, thought, markup, said] = [sum(0), sum(2), sum(3), sum(4)];
  const parts = [["think", thought], ["mark-up", markup], ["say", said]];
  const known = parts.filter(([, value]) => value !== null);
  const rest = side.tok - known.reduce((total, [, value]) => total + value, 0);
  const drawn = rest > 0 ? [...known, ["wait", rest]] : known;
  const most = Math.max(...row.r.map((one) => scoreOf(one, "tokens") ?? 0));
  const names = { think: "reasoning", "mark-up": "markup", say: "reply", wait: "untold" };
  return [
    el("span", { text: `${number(side.tok)} tok` }), bar(drawn, most, `${side.tok} output tokens`),
    el("div", { class: "legend" }, drawn.map(([hue, value]) => el("span", { class: "key", style: { "--c": `var(--${hue})` }, text: `${names[hue]} ${number(value)}` })),
      prompt !== null && el("span", { text: `prompt ${number(prompt)}` }), el("span", { text: `counted by ${usages[0][5]}` })),
  ];
}

function timeBar(row, side) {
  const most = Math.max(...row.r.map((one) => scoreOf(one, "seconds") ?? 0));
  const one = side.t.length === 1 ? side.t[0].s : null;
  const parts = one ? timeParts(one) : side.t.map((turn, index) => [index % 2 ? "say" : "think", turn.s ? turn.s[3] : 0]);
  const words = one ? timeWords(one) : [`${side.t.length} turns`];
  return [el("span", { text: seconds(side.sec) }), bar(parts, most, `${seconds(side.sec)} in all`), el("div", { class: "legend" }, words.map((text) => el("span", { text })))];
}

function timeParts([queued, first, spoken, total]) {
  const start = first ?? spoken ?? total;
  return [["wait", Math.min(queued ?? 0, start)], ["mark-up", Math.max(0, start - (queued ?? 0))], ["think", Math.max(0, (spoken ?? start) - start)], ["say", Math.max(0, total - (spoken ?? start))]];
}

const timeWords = ([queued, first, spoken]) => [
  queued ? `waited ${seconds(queued)}` : null,
  first !== null ? `first token ${seconds(first)}` : null,
  spoken !== null ? `first spoken ${seconds(spoken)}` : null,
].filter(Boolean);

function drawScores(row, side, run) {
  const own = side.sc || {};
  const known = Object.entries(own).filter(([, [, reason]]) => reason !== "not_applicable");
  if (!known.length) return el("div", { class: "dim small", text: side.t ? "no scores yet" : "nothing to score" });
  const rest = known.filter(([name]) => !DATA.runs[run].means || !Object.hasOwn(DATA.runs[run].means, name));
  const first = known.filter(([name]) => !rest.some(([other]) => other === name));
  const table = (lines) => el("table", { class: "scores" }, el("tbody", null, lines.map(([name, [value, reason, notes]]) => {
    const other = TWO ? scoreOf(row.r[1 - run], name) : null;
    const differs = TWO && value !== null && other !== null && other !== value;
    return el("tr", { class: differs ? "diff" : null }, el("th", { scope: "row", text: name }),
      el("td", null, value === null ? el("span", { class: "none", text: reason || "–" }) : number(value), (notes || []).map((note) => [" ", el("span", { class: "tag", text: note, title: DATA.notes[note] || "" })])));
  })));
  return el("div", null, label("scores"), table(first.length ? first : rest),
    first.length > 0 && rest.length > 0 && el("details", null, el("summary", { text: `${rest.length} more` }), table(rest)));
}

function drawVerdicts(side) {
  const told = (side.v || []).filter((one) => one.why || one.votes || one.label);
  if (!told.length) return null;
  return el("div", null, label("verdicts"), told.map((one) => el("div", { class: "small" },
    el("div", null, el("b", { text: one.of }), ` by ${one.by}: `, el("b", { text: one.label ?? "no label" }), one.why && el("span", { class: "text dim", text: ` ${one.why}` })),
    (one.votes || []).map(([model, given, reason, why, usage, asked]) => el("div", { class: "vote" },
      el("b", { text: given ?? reason }), ` ${model}`, el("span", { class: "dim", text: asked === 0 ? " · from the cache" : usage ? ` · ${usage[0] ?? "?"} + ${usage[1]} tokens` : "" }),
      why && el("div", { class: "text dim", text: why }))))));
}

function drawEvidence(row, of) {
  if (!of.d.length) return of.tools.length ? drawTools(of) : el("p", { class: "dim small", text: "This row has no evidence." });
  const many = of.d.length > 4;
  const used = new Set();
  const docs = of.d.map((doc, index) => {
    const marks = doc.m.map((one) => [...one, 0]);
    const cited = [];
    row.r.forEach((side, run) => {
      if (!side) return;
      for (const one of (side.m && side.m[index]) || []) marks.push([...one, run]);
      if ((side.c || []).includes(index)) cited.push(run);
    });
    for (const one of marks) used.add(one[3] ? "claim" : one[2]);
    const needed = doc.b.includes("supporting");
    const name = doc.slot === null ? `${index + 1}.` : `no. ${doc.slot}`;
    return el("details", { class: needed ? "doc needed" : "doc", open: !many || marks.length > 0 || cited.length > 0 || needed },
      el("summary", null, el("span", { class: "dim", text: name }), el("b", { text: doc.title || doc.id }), el("span", { class: "dim", text: doc.title ? `${doc.kind} ${doc.id}` : doc.kind }),
        doc.b.map((text) => el("span", { class: `badge ${text}`, text })), cited.map((run) => el("span", { class: "badge cited", text: TWO ? `cited by ${LETTERS[run]}` : "cited" }))),
      el("div", { class: "text" }, marked(doc.text, marks)));
  });
  const keys = [["required", "must be stated"], ["answer", "answer"], ["helpful", "helps"], ["forbidden", "must not be said"]].filter(([kind]) => used.has(kind)).map(([kind, text]) => el("span", null, el("mark", { class: kind, text: "gold" }), ` ${text}`));
  if (used.has("claim")) keys.push(el("span", null, el("mark", { class: "claim supported", text: "words" }), " a claim rests on these"), el("span", null, el("mark", { class: "claim contradicted", text: "words" }), " contradict it"));
  return [el("h3", { text: "Evidence" }), keys.length > 0 && el("p", { class: "legend-line" }, keys), docs, of.tools.length > 0 && drawTools(of)];
}

function drawTools(of) {
  return el("details", { class: "gold" }, el("summary", { text: `${of.tools.length} tools are offered` }),
    el("dl", null, of.tools.map(([name, text]) => [el("dt", { text: name }), el("dd", { text })])));
}

function drawGold(of) {
  if (!of.g.length) return el("p", { class: "dim small", text: "This row has no gold." });
  return el("details", { class: "gold", open: true }, el("summary", { text: "Gold" }), el("dl", null, of.g.map(([name, text]) => [el("dt", { text: name }), el("dd", { class: "text", text })])));
}

// --- where we are -------------------------------------------------------------------------------

function wanted() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return location.hash.slice(1); }
}

function follow() {
  const name = wanted();
  if (name === "row") return; // the link that skips the list
  const row = BY_ANCHOR.get(name) || BY_ANCHOR.get(location.hash.slice(1));
  const narrow = innerWidth <= 760;
  show(row || (name || narrow ? null : visible[0] || null));
  if (row) scrollTo(0, narrow ? 0 : Math.min(scrollY, document.querySelector(".panes").offsetTop));
}

function step(by) {
  const at = visible.indexOf(current);
  const row = visible[at < 0 ? 0 : at + by];
  if (!row) return;
  history.replaceState(null, "", anchorOf(row));
  follow();
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing) return;
  if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "t") toggleTheme();
  else if (event.key === "/") { event.preventDefault(); document.getElementById("find").focus(); }
}

function fromAddress() {
  const asked = new URLSearchParams(location.search);
  for (const key of asked.getAll("diagnosis")) {
    const button = document.querySelector(`button[data-code="${CSS.escape(key)}"]`);
    if (button) { state.codes.add(key); button.setAttribute("aria-pressed", "true"); }
  }
  if (asked.get("find")) { state.find = asked.get("find").toLowerCase(); document.getElementById("find").value = asked.get("find"); }
}

rememberedTheme();
drawHead();
drawFilters();
fromAddress();
refresh();
follow();
addEventListener("hashchange", follow);
addEventListener("keydown", keys);
for (const name of ["pointerover", "focusin"]) document.getElementById("row").addEventListener(name, light);
document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("row").focus(); });
