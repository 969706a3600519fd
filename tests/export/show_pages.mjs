// Shows a JSON list of pages, light and dark, and prints what the browser says and what it wants to load.
// Arguments: the folder with node_modules, the browser.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const { chromium } = createRequire(process.argv[2] + "/")("playwright-core");
const quiet = ["gpu", "quic", "background-networking", "component-update", "sync"].map((what) => `--disable-${what}`);
const browser = await chromium.launch({
  executablePath: process.argv[3],
  args: ["--no-sandbox", "--no-first-run", ...quiet],
});
const messages = [];
const pages = JSON.parse(readFileSync(0, "utf8"));
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width: 900, height: 900 }, colorScheme });
  page.on("console", (message) => messages.push(`${page.url()}: ${message.text()}`));
  page.on("pageerror", (error) => messages.push(`${page.url()}: ${error}`));
  page.on("dialog", (dialog) => messages.push(`${page.url()}: ${dialog.message()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) messages.push(`${page.url()} loads ${request.url()}`);
  });
  for (const path of pages) await page.goto(`file://${path}`);
  await page.close();
}
await browser.close();
console.log(JSON.stringify(messages));
