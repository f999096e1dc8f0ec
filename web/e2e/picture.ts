import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { withFewColours } from "./png";
import { docs, type Server } from "./server";

/** Whether this run makes the pictures of the documentation anew; the views are visited in any case. */
export const keepsPictures = Boolean(process.env["NOREGRET_PICTURES"]);

/** Takes a picture of the page; for the documentation if this run makes it. */
export async function shoot(page: Page, server: Server, name: string): Promise<void> {
  const path = join(keepsPictures ? docs : server.library, name);
  writeFileSync(path, withFewColours(await page.screenshot({ animations: "disabled" })));
  expect(statSync(path).size, name).toBeLessThan(200_000);
}
