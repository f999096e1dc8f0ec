import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { withFewColours } from "./png";
import { docs, type Server } from "./server";

const wanted = process.env["NOREGRET_PICTURES"] ?? "";
if (!["", "1", "sizes"].includes(wanted))
  throw new Error(
    `NOREGRET_PICTURES=${wanted}: 1 makes the pictures of the documentation, sizes those of all views`,
  );

/** Whether this run makes the pictures of the documentation anew; the views are visited in any case. */
export const keepsPictures = wanted === "1";
/** Whether it makes pictures of all views in three windows, to be looked at. */
export const makesSizes = wanted === "sizes";

/** Takes a picture of the page; for the documentation if this run makes it. */
export async function shoot(page: Page, server: Server, name: string): Promise<void> {
  const path = join(keepsPictures ? docs : server.library, name);
  writeFileSync(path, withFewColours(await page.screenshot({ animations: "disabled" })));
  expect(statSync(path).size, name).toBeLessThan(200_000);
}
