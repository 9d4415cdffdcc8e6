import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import { type Page } from 'playwright-core';
import { PNG } from 'pngjs';

const folder = path.join(__dirname, '../screenshots');
/** Where a screenshot that differs is left. */
const differing = path.join(__dirname, '../../screenshots-differing');

/** Share of the pixels that may differ: another version of the browser draws some edges differently. */
const tolerance = 0.01;

/**
 * The share of pixels that differ from the committed screenshot; 0 within the tolerance. `RECORD=true` replaces the
 * screenshot.
 */
export async function differenceFromScreenshot(page: Page, name: string): Promise<number> {
  const file = path.join(folder, `${name}.png`);
  // The only texts that are different each time.
  await page.locator('time').evaluateAll((times) => {
    for (const time of times) time.textContent = '12:00';
  });
  await page.mouse.move(0, 0);
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (process.env['RECORD'] === 'true' || !existsSync(file)) {
    if (process.env['CI'] === 'true') throw new Error(`${file} is missing: run RECORD=true npx jest`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, taken);
    return 0;
  }
  const committed = readFileSync(file);
  // Decoding takes 0.2 s of CPU time each.
  if (taken.equals(committed)) return 0;
  const [actual, expected] = [PNG.sync.read(taken), PNG.sync.read(committed)];
  const { width, height } = expected;
  const isSameSize = actual.width === width && actual.height === height;
  const share = isSameSize
    ? pixelmatch(actual.data, expected.data, undefined, width, height, { threshold: 0.2 }) / (width * height)
    : 1;
  if (share <= tolerance) return 0;
  mkdirSync(differing, { recursive: true });
  writeFileSync(path.join(differing, `${name}.png`), taken);
  return share;
}
