// Opens a page from disk in headless Chromium and prints what is there as JSON: what was drawn, every error, and every
// request to a host.
const { chromium } = require("playwright-core");
const { pathToFileURL } = require("node:url");
const fs = require("node:fs");

const browsers = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) => process.env.PATH.split(":").map((folder) => `${folder}/${name}`));

(async () => {
  const executablePath = browsers.find((path) => fs.existsSync(path));
  if (!executablePath) throw new Error("there is no Chromium: run scripts/setup-report-tests first");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  const errors = [];
  const requests = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) requests.push(request.url()); });
  await page.goto(pathToFileURL(process.argv[2]).href);
  await page.waitForFunction(() => document.body.dataset.drawn !== undefined);
  const count = (selector) => page.locator(selector).count();
  const seen = {
    drawn: await page.evaluate(() => document.body.dataset.drawn),
    rows: await count("#table tbody tr"),
    dots: await count("#scatter circle"),
    columns: await count("#bars g.column"),
    bars: await count("#bars rect"),
    light: await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
  };
  // The table sorts by a column, the charts regroup, the search narrows, the other theme is another colour.
  await page.locator("#table th", { hasText: "OOP EV" }).click();
  const evs = await page.evaluate(() => {
    const column = [...document.querySelectorAll("#table th")].findIndex((head) => head.textContent.startsWith("OOP EV"));
    return [...document.querySelectorAll("#table tbody tr")].map((row) => parseFloat(row.cells[column].textContent)).filter((ev) => !Number.isNaN(ev));
  });
  seen.sorted = evs.length > 1 && evs.every((ev, i) => i === 0 || evs[i - 1] >= ev);
  for (const way of await page.locator("#group option").allTextContents()) await page.selectOption("#group", way);
  for (const order of await page.evaluate(() => [...document.querySelectorAll("#order option")].map((option) => option.value))) await page.selectOption("#order", order);
  await page.selectOption("#seat", "1");
  const first = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).rows[0].cards.join(""));
  await page.fill("#find", first);
  seen.found = await count("#table tbody tr");
  await page.fill("#find", "");
  await page.click("#theme");
  seen.dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.locator("#scatter circle").first().hover({ force: true });
  seen.errors = errors;
  seen.requests = requests;
  console.log(JSON.stringify(seen));
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
