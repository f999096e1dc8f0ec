import { readFileSync, readdirSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { emptyDraft, readToml, writeToml } from "./draft";

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
