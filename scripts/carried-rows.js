// Asks a running server for the report of a batch: the root and every decision up to the fourth on the flop, as one JSON object by line.
// The solutions are not carried, so that rows do not name them.
"use strict";

const [, , address, batch] = process.argv;

async function report(line) {
  const query = new URLSearchParams({ line });
  const answer = await fetch(`${address}/api/batches/${encodeURIComponent(batch)}/report?${query}`);
  if (!answer.ok) return null;
  const read = await answer.json();
  for (const variant of read.variants) {
    for (const row of variant.rows) {
      row.solution = "";
      row.matchups = Number(row.matchups.toPrecision(6));
      round(row);
    }
    round(variant.average);
    for (const group of variant.groups) round(group.average);
  }
  return read;
}

/** Four digits are more than a report shows. */
function round(numbers) {
  for (const key of ["frequencies", "ev", "equity", "eqr"])
    for (const [at, value] of Object.entries(numbers[key]))
      if (typeof value === "number") numbers[key][at] = Number(value.toFixed(4));
}

async function main() {
  const lines = {};
  let open = [""];
  for (let depth = 0; depth < 4; depth += 1) {
    const next = [];
    for (const line of open) {
      const read = await report(line);
      const variant = read?.variants[0];
      // Where nobody acts the flop is over, or the hand.
      if (!variant || variant.player === null || variant.rows.length < 25) continue;
      lines[line] = read;
      for (const action of variant.actions) next.push(line ? `${line}, ${action}` : action);
    }
    open = next;
  }
  process.stdout.write(`${JSON.stringify(lines)}\n`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
