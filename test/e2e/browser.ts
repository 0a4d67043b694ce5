import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env["CHROMIUM"] ?? browsers.find((path) => existsSync(path));

export const noBrowser = "Chromium is not installed; set CHROMIUM to the path of another browser";

/** The browser of this machine; undefined if it has none. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (executablePath === undefined) return undefined;
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath, args });
}
