import { readFileSync, readdirSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { emptyDraft, numberTyped, readToml, writeToml } from "./draft";

const examples = new URL("../../../examples/", import.meta.url);

test.each(readdirSync(examples).filter((name) => name.endsWith(".toml") && name !== "batch.toml"))(
  "%s loses nothing on the way through the form",
  (name) => {
    const text = readFileSync(new URL(name, examples), "utf8");
    const written = parse(writeToml(readToml(text)));
    // The one word for both precisions becomes the two that the form shows.
    const wanted = text.replace('quantization = "16bit"', "strategy_bits = 16\nregret_bits = 16");
    expect(written).toMatchObject(parse(wanted));
    expect(writeToml(readToml(writeToml(readToml(text))))).toBe(writeToml(readToml(text)));
  },
);

test("locks and other tables that the form does not show are kept", () => {
  const text = `[ranges]\noop = "AA"\nip = "KK"\n[cards]\nflop = "QsJh2h"\n[tree]\nstarting_pot = 10\neffective_stack = 50\n[[tree.add]]\nline = "bet 7"\n[[locks]]\nline = ""\nstrategy = "check"\n[solver.river]\nregret_bits = 8\n`;
  const written = parse(writeToml(readToml(text)));
  expect(written).toMatchObject(parse(text));
});

test("what is no number is passed on for the server to refuse", () => {
  const draft = emptyDraft();
  draft.tree.starting_pot = "ten";
  expect(writeToml(draft)).toContain('starting_pot = "ten"');
});

test("text that is no TOML is refused with the line", () => {
  expect(() => readToml("[ranges\noop =")).toThrow(/Invalid TOML/);
});

test("numbers are read as people type them, and nothing is guessed", () => {
  const rate = (text: string): number | null => numberTyped("rake_rate", text);
  expect(["0.05", ".05", "0,05", "5%", " 5 % ", "5."].map(rate)).toEqual([0.05, 0.05, 0.05, 0.05, 0.05, 5]);
  expect(rate("5.5%")).toBe(0.055);
  expect(numberTyped("target_exploitability_pct", "0,3%")).toBe(0.3);
  // A thousand or one, and percent of what?
  expect(["1,000", "five", "", "1.2.3", "%"].map(rate)).toEqual([null, null, null, null, null]);
  expect(numberTyped("starting_pot", "5%")).toBeNull();
  const draft = emptyDraft();
  draft.tree.rake_rate = "5%";
  draft.tree.rake_cap = ".5";
  draft.tree.effective_stack = "1,000";
  expect(parse(writeToml(draft))["tree"]).toMatchObject({
    rake_rate: 0.05,
    rake_cap: 0.5,
    effective_stack: "1,000",
  });
});
