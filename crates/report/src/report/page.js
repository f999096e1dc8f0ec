"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const SEATS = ["OOP", "IP"];
  const GROUP_COLOURS = ["#2563eb", "#e3583f", "#4fa76a", "#b7791f", "#7b3f8c", "#0e9aa7", "#d6457f", "#64748b", "#8a6d3b", "#3aa3ff", "#a3b816", "#f0913a", "#5b5bd6"];

  // Small helpers.
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const shape = (name, attributes = {}, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const percent = (share, digits = 1) => (share === null || share === undefined ? "–" : (100 * share).toFixed(digits) + "%");
  const chips = (amount) => (amount === null || amount === undefined ? "–" : amount.toFixed(2));
  const whole = (number) => Math.round(number).toLocaleString("en-US");
  // `matchups` of a row has its weight in it: how often the board happens.
  const often = (row) => row.matchups;

  // One colour for each action: passive ones green, folds blue, sizes from light to dark red.
  const style = getComputedStyle(document.documentElement);
  const colours = (() => {
    const bets = style.getPropertyValue("--bets").trim().split(/\s+/);
    const sizes = data.actions.filter((action) => action.kind === "bet" || action.kind === "raise").length;
    let size = 0;
    return data.actions.map((action) => {
      if (action.kind === "fold") return "var(--fold)";
      if (action.kind === "check" || action.kind === "call") return "var(--passive)";
      if (action.kind === "all-in") return "var(--allin)";
      size += 1;
      return bets[sizes === 1 ? 2 : Math.floor(((size - 1) * (bets.length - 1)) / Math.max(sizes - 1, 1))];
    });
  })();

  // Means over boards, each counted as often as it happens.
  const mean = (rows, number, extra = () => 1) => {
    let sum = 0;
    let weight = 0;
    for (const row of rows) {
      const value = number(row);
      if (value === null || value === undefined) continue;
      const part = often(row) * extra(row);
      sum += part * value;
      weight += part;
    }
    return weight > 0 ? sum / weight : null;
  };
  const ratio = (rows, seat) => {
    const ev = mean(rows, (row) => row.ev[seat]);
    const share = mean(rows, (row) => (row.equity[seat] === null ? null : row.equity[seat] * row.pot));
    return ev !== null && share > 0 ? ev / share : null;
  };
  const frequency = (rows, a) => {
    const total = rows.reduce((sum, row) => sum + often(row), 0);
    const taken = rows.reduce((sum, row) => sum + often(row) * (row.actions[a].frequency || 0), 0);
    return total > 0 ? taken / total : null;
  };
  const average = (rows) => ({
    weight: rows.reduce((sum, row) => sum + row.weight, 0),
    ev: [0, 1].map((seat) => mean(rows, (row) => row.ev[seat])),
    equity: [0, 1].map((seat) => mean(rows, (row) => row.equity[seat])),
    eqr: [0, 1].map((seat) => ratio(rows, seat)),
    pot: mean(rows, (row) => row.pot),
    actions: data.actions.map((_, a) => ({ frequency: frequency(rows, a), ev: mean(rows, (row) => row.actions[a].ev, (row) => row.actions[a].frequency || 0) })),
  });

  const name = (row) => row.cards.join("");
  const cards = (row) => row.cards.map((card) => element("span", { class: "pc " + card[1] }, card[0] + SUITS[card[1]]));
  const groupOf = (row, by) => row.groups.find((group) => group.by === by);
  const eqr = (row, seat) => (row.ev[seat] !== null && row.equity[seat] > 0 ? row.ev[seat] / (row.equity[seat] * row.pot) : null);

  // What is looked at.
  const state = { variant: data.variants[0] || "", group: (data.rows[0] || { groups: [{ by: "" }] }).groups[0].by, order: "weight", seat: 0, find: "", sort: { key: "weight", down: true } };
  const ways = data.rows.length ? data.rows[0].groups.map((group) => group.by) : [];
  const orders = [["weight", "how often"], ["board", "board"], ...data.actions.map((action, a) => ["action" + a, action.name]), ["ev", "EV"], ["equity", "equity"], ["eqr", "EQR"]];
  const value = (row, key) => {
    if (key === "weight") return row.weight;
    if (key === "often") return row.matchups;
    if (key === "board") return row.cards.map((card) => "23456789TJQKA".indexOf(card[0]) * 4 + "cdhs".indexOf(card[1])).reduce((sum, card) => sum * 52 + card, 0);
    if (key.startsWith("action")) return row.actions[+key.slice(6)].frequency;
    if (key.startsWith("ev")) return row.ev[key.length > 2 ? +key[2] : state.seat];
    if (key.startsWith("equity")) return row.equity[key.length > 6 ? +key[6] : state.seat];
    if (key.startsWith("eqr")) return eqr(row, key.length > 3 ? +key[3] : state.seat);
    return row.exploitability;
  };
  const sorted = (rows, key, down) => {
    const sign = down ? -1 : 1;
    const rank = (row) => { const v = value(row, key); return v === null || v === undefined ? -Infinity : v; };
    return [...rows].sort((a, b) => sign * (rank(a) - rank(b)) || value(b, "board") - value(a, "board"));
  };
  const chosen = () => {
    const words = state.find.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const has = (row, word) => name(row).toLowerCase().includes(word) || row.groups.some((group) => group.kind.toLowerCase().includes(word));
    return data.rows.filter((row) => row.variant === state.variant && words.every((word) => has(row, word)));
  };
  const kinds = (rows) => {
    const found = new Map();
    for (const row of rows) {
      const group = groupOf(row, state.group) || { kind: "", order: 0 };
      if (!found.has(group.kind)) found.set(group.kind, { kind: group.kind, order: group.order, rows: [] });
      found.get(group.kind).rows.push(row);
    }
    return [...found.values()].sort((a, b) => a.order - b.order).map((kind, i) => ({ ...kind, colour: GROUP_COLOURS[i % GROUP_COLOURS.length] }));
  };

  // The tip that follows the pointer.
  const tip = at("tip");
  const show = (event, ...content) => {
    tip.replaceChildren(...content);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(event.clientX + 16, innerWidth - box.width - 8)) + "px";
    tip.style.top = Math.max(8, Math.min(event.clientY + 16, innerHeight - box.height - 8)) + "px";
  };
  const hide = () => { tip.hidden = true; };
  const lines = (pairs) => {
    const table = element("table");
    for (const [label, number] of pairs) table.append(element("tr", {}, element("td", {}, label), element("td", {}, number)));
    return table;
  };
  const describe = (row) => [
    ...cards(row),
    lines([
      ...data.actions.map((action, a) => [action.name, percent(row.actions[a].frequency)]),
      ...SEATS.flatMap((seat, s) => [[seat + " EV", chips(row.ev[s])], [seat + " equity", percent(row.equity[s])], [seat + " EQR", percent(eqr(row, s))]]),
      ...(data.subject === "flops" ? [["stands for", whole(row.weight) + " flops"]] : []),
    ]),
  ];
  const watch = (mark, content) => {
    mark.addEventListener("pointermove", (event) => show(event, ...content()));
    mark.addEventListener("pointerleave", hide);
  };

  const stack = (actions, words) => {
    const bar = element("div", { class: "stack" });
    data.actions.forEach((action, a) => {
      const share = actions[a].frequency || 0;
      if (share <= 0) return;
      const part = element("div", { style: `flex: ${share} 0 0; background: ${colours[a]}` });
      if (words && share > 0.07) part.textContent = `${action.name} ${percent(share)}`;
      bar.append(part);
    });
    return bar;
  };

  const drawTotals = (rows) => {
    const all = average(rows);
    const card = (number, label) => element("div", { class: "card" }, element("b", {}, number), element("span", {}, label));
    const exploitability = mean(rows, (row) => row.exploitability);
    at("totals").replaceChildren(
      ...SEATS.flatMap((seat, s) => [card(chips(all.ev[s]), `${seat} EV · ${percent(all.ev[s] === null ? null : all.ev[s] / all.pot)} of the pot`)]),
      card(percent(all.equity[0], 2), "OOP equity"),
      ...SEATS.map((seat, s) => card(percent(all.eqr[s]), `${seat} EQR`)),
      card(whole(data.subject === "flops" ? all.weight : rows.length), data.subject === "flops" ? `flops, by ${rows.length} solved` : "runouts"),
      card(exploitability === null ? "–" : exploitability.toFixed(2) + "%", "mean exploitability"),
    );
    const overall = stack(all.actions, true);
    at("overall").replaceChildren(...overall.childNodes);
    at("legend").replaceChildren(...data.actions.map((action, a) => element("span", {},
      element("i", { style: `background: ${colours[a]}` }), element("b", {}, action.name), ` ${percent(all.actions[a].frequency, 2)} · EV ${chips(all.actions[a].ev)}`)));
  };

  // Every board a column, group by group.
  const drawBars = (rows) => {
    const [width, height, left, bottom] = [1180, 260, 38, 46];
    const groups = kinds(rows);
    const gap = groups.length > 1 ? 10 : 0;
    const step = Math.max((width - left - gap * (groups.length - 1)) / Math.max(rows.length, 1), 0.2);
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height + bottom}`, role: "img" });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const y = height - share * (height - 8);
      svg.append(shape("line", { x1: left, x2: width, y1: y, y2: y, class: "grid" }), shape("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, percent(share, 0)));
    }
    let x = left;
    let labelled = -Infinity;
    for (const group of groups) {
      const from = x;
      for (const row of sorted(group.rows, state.order, state.order !== "board")) {
        const column = shape("g", { class: "column" });
        let y = height;
        data.actions.forEach((_, a) => {
          const tall = (row.actions[a].frequency || 0) * (height - 8);
          if (tall <= 0) return;
          y -= tall;
          column.append(shape("rect", { x, y, width: Math.max(step - (step > 4 ? 1.5 : 0), 0.2), height: tall, fill: colours[a], class: "mark" }));
        });
        if (step > 34) {
          column.append(shape("text", { x: x + step / 2, y: height + 15, "text-anchor": "middle", style: "font-size: 10.5px" }, name(row).slice(data.subject === "flops" ? 0 : -2)));
        }
        watch(column, () => describe(row));
        svg.append(column);
        x += step;
      }
      const middle = (from + x) / 2;
      const room = group.kind.length * 6.4 + 12;
      const raised = middle - room / 2 < labelled;
      svg.append(shape("text", { x: middle, y: height + (raised ? 46 : 32), "text-anchor": "middle", class: "strong" }, group.kind));
      if (!raised) labelled = middle + room / 2;
      x += gap;
    }
    const what = data.subject === "flops" ? "flop" : "runout";
    at("bars-title").textContent = data.actions.length ? `What ${data.player ? data.player.toUpperCase() : "they"} do${data.player ? "es" : ""} on every ${what}` : "No decision at the end of this line";
    at("bars").replaceChildren(svg);
  };

  const drawScatter = (rows) => {
    const [width, height, left, bottom] = [560, 400, 48, 40];
    const seat = state.seat;
    const points = rows.filter((row) => row.ev[seat] !== null && row.equity[seat] !== null);
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    const xs = points.map((row) => row.equity[seat]);
    const ys = points.map((row) => row.ev[seat] / row.pot);
    const limits = (numbers) => {
      const [low, high] = [Math.min(...numbers, 1), Math.max(...numbers, 0)];
      const room = Math.max((high - low) * 0.08, 0.01);
      return points.length ? [low - room, high + room] : [0, 1];
    };
    const [x0, x1] = limits(xs);
    const [y0, y1] = limits(ys);
    const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - 10);
    const py = (y) => height - bottom - ((y - y0) / (y1 - y0)) * (height - bottom - 10);
    const ticks = (low, high) => {
      const size = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((size) => (high - low) / size <= 7) || 1;
      const marks = [];
      for (let mark = Math.ceil(low / size) * size; mark <= high; mark += size) marks.push(mark);
      return marks;
    };
    for (const tick of ticks(x0, x1)) {
      svg.append(shape("line", { x1: px(tick), x2: px(tick), y1: 10, y2: height - bottom, class: "grid" }), shape("text", { x: px(tick), y: height - bottom + 17, "text-anchor": "middle" }, percent(tick, 0)));
    }
    for (const tick of ticks(y0, y1)) {
      svg.append(shape("line", { x1: left, x2: width - 10, y1: py(tick), y2: py(tick), class: "grid" }), shape("text", { x: left - 7, y: py(tick) + 4, "text-anchor": "end" }, percent(tick, 0)));
    }
    const [from, to] = [Math.max(x0, y0), Math.min(x1, y1)];
    if (from < to) svg.append(shape("line", { x1: px(from), y1: py(from), x2: px(to), y2: py(to), stroke: "var(--soft)", "stroke-dasharray": "5 5" }));
    svg.append(shape("text", { x: width - 10, y: height - 4, "text-anchor": "end", class: "strong" }, `${SEATS[seat]} equity →`), shape("text", { x: left, y: 6, class: "strong" }, `↑ ${SEATS[seat]} EV, share of the pot`));
    const most = Math.max(...points.map(often), 1e-300);
    for (const group of kinds(points)) {
      for (const row of sorted(group.rows, "often", true)) {
        const dot = shape("circle", { cx: px(row.equity[seat]), cy: py(row.ev[seat] / row.pot), r: 3.5 + 7 * Math.sqrt(often(row) / most), fill: group.colour, "fill-opacity": 0.72, class: "mark" });
        watch(dot, () => describe(row));
        svg.append(dot);
      }
    }
    at("scatter").replaceChildren(svg);
  };

  const drawGroups = (rows) => {
    const groups = kinds(rows);
    at("groups-title").textContent = `By ${state.group}`;
    const table = element("table");
    table.append(element("tr", {}, ...["", "share", ...(data.actions.length ? [""] : []), `${SEATS[state.seat]} EV`, "equity", "EQR"].map((label) => element("th", { style: "cursor: default" }, label))));
    const total = rows.reduce((sum, row) => sum + often(row), 0);
    for (const group of groups) {
      const all = average(group.rows);
      const share = group.rows.reduce((sum, row) => sum + often(row), 0) / Math.max(total, 1e-300);
      const bar = stack(all.actions, false);
      const line = element("tr", {},
        element("td", {}, element("span", { class: "key", style: `background: ${group.colour}` }), group.kind),
        element("td", {}, percent(share)),
        ...(data.actions.length ? [element("td", {}, bar)] : []),
        element("td", {}, chips(all.ev[state.seat])), element("td", {}, percent(all.equity[state.seat])), element("td", {}, percent(all.eqr[state.seat])));
      watch(line, () => [element("b", {}, group.kind), lines([["boards", String(group.rows.length)], ...data.actions.map((action, a) => [action.name, percent(all.actions[a].frequency, 2)])])]);
      table.append(line);
    }
    at("groups").replaceChildren(table);
  };

  const drawTable = (rows) => {
    const heads = [["board", "board"], ...(data.subject === "flops" ? [["weight", "flops"]] : [["often", "how often"]]),
      ...(data.actions.length ? [[null, ""]] : []), ...data.actions.map((action, a) => ["action" + a, action.name]),
      ...SEATS.flatMap((seat, s) => [["ev" + s, seat + " EV"], ["equity" + s, "equity"], ["eqr" + s, "EQR"]]), ["exploitability", "expl."]];
    const head = element("tr");
    for (const [key, label] of heads) {
      const cell = element("th", {}, label);
      if (key === state.sort.key) cell.setAttribute("aria-sort", state.sort.down ? "descending" : "ascending");
      if (key) cell.addEventListener("click", () => {
        state.sort = { key, down: state.sort.key === key ? !state.sort.down : true };
        drawTable(chosen());
      });
      head.append(cell);
    }
    const total = rows.reduce((sum, row) => sum + often(row), 0);
    const cells = (row, first, how) => {
      const line = element("tr");
      line.append(element("td", {}, ...first), element("td", {}, how));
      if (data.actions.length) line.append(element("td", {}, stack(row.actions, false)));
      for (const action of row.actions) line.append(element("td", {}, percent(action.frequency)));
      for (const s of [0, 1]) line.append(element("td", {}, chips(row.ev[s])), element("td", {}, percent(row.equity[s])), element("td", {}, percent(row.eqr ? row.eqr[s] : eqr(row, s))));
      line.append(element("td", {}, row.exploitability === null || row.exploitability === undefined ? "–" : row.exploitability.toFixed(3) + "%"));
      return line;
    };
    const how = (row) => (data.subject === "flops" ? whole(row.weight) : percent(often(row) / Math.max(total, 1e-300), 2));
    const table = at("table");
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(...sorted(rows, state.sort.key, state.sort.down).map((row) => cells(row, cards(row), how(row))));
    const all = average(rows);
    table.tFoot.replaceChildren(cells({ ...all, exploitability: mean(rows, (row) => row.exploitability) }, ["all"], data.subject === "flops" ? whole(all.weight) : "100%"));
  };

  const draw = () => {
    const rows = chosen();
    drawTotals(rows);
    drawBars(rows);
    drawScatter(rows);
    drawGroups(rows);
    drawTable(rows);
    document.body.dataset.drawn = String(rows.length);
  };

  const fill = (id, options, key) => {
    at(id).replaceChildren(...options.map(([option, label]) => element("option", { value: option }, label)));
    at(id).addEventListener("change", (event) => { state[key] = event.target.value; draw(); });
  };
  at("title").textContent = data.title;
  const who = data.player ? ` · ${data.player.toUpperCase()} to act` : "";
  at("subtitle").textContent = `${data.line ? "after " + data.line : "at the root"}${who}`;
  fill("variant", data.variants.map((variant) => [variant, variant || "all"]), "variant");
  at("variant-label").hidden = data.variants.length < 2;
  at("variant-label").style.display = data.variants.length < 2 ? "none" : "";
  fill("group", ways.map((way) => [way, way]), "group");
  fill("order", orders, "order");
  at("seat").addEventListener("change", (event) => { state.seat = +event.target.value; draw(); });
  at("find").addEventListener("input", (event) => { state.find = event.target.value; draw(); });
  at("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    draw();
  });
  if (data.player === "ip") { state.seat = 1; at("seat").value = "1"; }
  draw();
})();
