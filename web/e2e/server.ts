import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The program under test. */
export const binary = process.env["NOREGRET_BIN"] ?? join(root, "target/debug/noregret");

export const examples = join(root, "examples");
export const docs = join(root, "docs");
/** Where pictures go that are only looked at. */
export const pictures = join(root, "target/pictures");

/** A running `noregret serve` with a library of its own. */
export interface Server {
  url: string;
  library: string;
  /** Ends it as if the machine had failed, and starts another on the same library. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServer(): Promise<Server> {
  const library = mkdtempSync(join(tmpdir(), "noregret-e2e-"));
  let running = await launch(library);
  const server: Server = {
    url: running.url,
    library,
    async crash() {
      await end(running.process, "SIGKILL");
      running = await launch(library);
      server.url = running.url;
    },
    async stop() {
      await end(running.process, "SIGINT");
      rmSync(library, { recursive: true, force: true });
    },
  };
  return server;
}

function launch(library: string): Promise<{ process: ChildProcess; url: string }> {
  const process = spawn(
    binary,
    ["serve", "--no-open", "--port", "0", "--library", library, "--checkpoint-every", "1"],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      const url = /http:\/\/[\w.:[\]]+:\d+/.exec(said)?.[0];
      if (url) resolve({ process, url });
    };
    process.stdout.on("data", listen);
    process.stderr.on("data", listen);
    process.on("error", reject);
    process.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

async function end(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null) return;
  const ended = new Promise((done) => process.on("exit", done));
  process.kill(signal);
  const patience = setTimeout(() => process.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(patience);
}

/** Solutions that several tests look at, each solved once for all of them. */
const shelf = mkdtempSync(join(tmpdir(), "noregret-solved-"));
process.on("exit", () => rmSync(shelf, { recursive: true, force: true }));

/** Puts the solution of an example into the library. */
export function shelve(server: Server, example: string, name = example): void {
  const file = join(shelf, `${example}.nrs`);
  if (!existsSync(file)) cli("solve", join(examples, `${example}.toml`), "--json", "--out", file);
  const place = join(server.library, `${name}.nrs`);
  mkdirSync(dirname(place), { recursive: true });
  copyFileSync(file, place);
}

/** Puts the solution of a river into the library whose amounts are big blinds, of two chips each. */
export function shelveBlinds(server: Server): void {
  const spec = join(server.library, "blinds.toml");
  writeFileSync(
    spec,
    `[ranges]\noop = "AA,QQ,T9s"\nip = "KK,JJ,AQs"\n[cards]\nflop = "QsJh2h"\nturn = "8c"\nriver = "3d"\n[tree]
starting_pot = 5.5\neffective_stack = 97.5\nunit = "bb"\nbig_blind = 2\n[bet_sizes.river]\noop_bet = "33%"\n`,
  );
  cli("solve", spec, "--json", "--out", join(server.library, "blinds.nrs"));
}

/** What the command line answers as JSON. */
export function cli<T>(...words: string[]): T {
  const printed = execFileSync(binary, words, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(printed.toString()) as T;
}
