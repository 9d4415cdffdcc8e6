import { type Browser, chromium } from 'playwright-core';
import { getChromium } from './chromium';
import { waitLimitMs } from '../until';

/** Works in a container as root and without a network; no background traffic disturbs a measurement. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The same pixels on every machine.
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
];

/**
 * Starts a headless Chromium, which ends with this process at the latest.
 *
 * @param extraFlags such as `--js-flags=--expose-gc`
 */
export async function launchBrowser(extraFlags: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = getChromium();
  return await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [...flags, ...extraFlags],
    timeout: waitLimitMs,
  });
}
