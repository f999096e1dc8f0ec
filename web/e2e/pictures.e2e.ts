import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shoot } from "./picture";
import { examples, shelve } from "./server";
import { at } from "./sizes";
import { expect, loadPreset, test } from "./test";

test("pictures for the documentation", async ({ page, server }) => {
  shelve(server, "quick");
  shelve(server, "locked", "quick locked");
  await loadPreset(page, server, "quick");
  await expect(page.getByRole("gridcell", { name: "AKs, 100%" }).first()).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 1010 });
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-spot.png");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/#/browse/quick?line=${encodeURIComponent("bet 20")}`);
  const cell = page.getByRole("grid", { name: "Strategy of IP" }).getByRole("gridcell", { name: /^QJs/ });
  await cell.hover();
  await expect(page.getByRole("heading", { name: "QJs of IP" })).toBeVisible();
  await page.waitForTimeout(300);
  await shoot(page, server, "web-browse.png");

  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(
    `${server.url}/#/browse/quick?line=${encodeURIComponent("check, check")}&who=both&mode=equity`,
  );
  await expect(page.getByRole("region", { name: "Cards that can come" }).getByRole("link")).toHaveCount(48);
  await page.setViewportSize({ width: 1440, height: 740 });
  await page.getByRole("grid", { name: "Equity of OOP" }).getByRole("gridcell", { name: /^QTs/ }).hover();
  await expect(page.getByRole("heading", { name: "QTs of OOP" })).toBeVisible();
  await shoot(page, server, "web-cards.png");

  await page.goto(
    `${server.url}/#/browse/quick?line=${encodeURIComponent("")}&tab=compare&against=${encodeURIComponent("quick locked")}`,
  );
  await expect(page.getByRole("grid", { name: "Difference of EVs" })).toBeVisible();
  const compared = page.getByRole("region", { name: "Compare before and after" });
  await expect(compared.getByRole("row", { name: /^check/ })).not.toContainText("–");
  await page.setViewportSize({ width: 1440, height: 875 });
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-compare.png");

  await page.emulateMedia({ colorScheme: "dark" });
  for (const target of ["0.5", "0.2"]) {
    await loadPreset(page, server, "quick", `quick to ${target}`);
    await page.getByLabel("Target, % of pot").fill(target);
    await page.waitForTimeout(800);
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
  }
  await page.setViewportSize({ width: 1440, height: 640 });
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-solve.png");
});

test("a picture of a drill for the documentation", async ({ page, server }) => {
  shelve(server, "quick");
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}/#/train/quick?seed=6&play=decisions&street=turn`);
  // A few answers, so that there is a score.
  for (const key of ["1", "2", "2", "1", "2"]) {
    await expect(page.getByRole("group", { name: "Your action" })).toBeVisible();
    await page.keyboard.press(key);
    await expect(page.getByRole("grid", { name: "Strategy of all hands" })).toBeVisible();
    if (key === "2" && (await page.locator("[data-decisions='5']").count()) > 0) break;
    await page.locator("[data-next]").click();
  }
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-train.png");
});

test("pictures of the start, the library, an exploit and a lock for the documentation", async ({
  page,
  server,
}) => {
  shelve(server, "quick");
  shelve(server, "quick", "BTN vs BB/quick");
  shelve(server, "locked", "BTN vs BB/quick, IP folds more");
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}/`);
  await expect(page.getByRole("heading").first()).toBeVisible();
  await page.waitForTimeout(300);
  await shoot(page, server, "web-start.png");

  await page.goto(`${server.url}/#/library`);
  await expect(page.getByRole("link", { name: "quick", exact: true }).first()).toBeVisible();
  // Not the folder of the test.
  await page.locator(".where").evaluate((where) => (where.textContent = "~/noregret"));
  await page.setViewportSize({ width: 1440, height: 360 });
  await shoot(page, server, "web-library.png");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/${at("quick", "bet 60", { mode: "exploit" })}`);
  await expect(page.locator('[data-exploit="ready"]')).toBeVisible();
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-exploit.png");

  await page.goto(`${server.url}/${at("quick", "bet 60", { tab: "lock" })}`);
  await page.getByRole("button", { name: "Folds 75%" }).click();
  await expect(page.getByText("all hands: fold 75%")).toBeVisible();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await shoot(page, server, "web-lock.png");
});

test("pictures of hands that were played for the documentation", async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 640 });
  await page.goto(`${server.url}/#/hands`);
  await page
    .getByLabel("Hand histories: PokerStars, GGPoker or PHH")
    .fill(readFileSync(join(examples, "session.txt"), "utf8"));
  await page.getByLabel("Target, % of the pot").fill("5");
  await page.getByRole("button", { name: "Read the hands" }).click();
  await page.getByRole("button", { name: /^Solve \d/ }).click();
  const costly = page.getByRole("region", { name: "The costliest decisions" });
  await expect(page.locator('[data-kind="solved"]')).toHaveCount(2);
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-session.png");
  await costly.getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "The decision" }).locator("[data-loss]")).toBeVisible();
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-hand.png");
});

test("a picture of Texas 42 trained for the documentation", async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}/#/forty-two/train`);
  await page.getByRole("button", { name: "Deal" }).click();
  await page.locator(".felt .tile:not([inert]) [data-domino]").first().click();
  await expect(page.getByRole("region", { name: "What it gave away" })).toBeVisible();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(400);
  await shoot(page, server, "web-forty-two-train.png");
});
