import { until } from '@waggle/testing';
import { type Locator, type Page } from 'playwright-core';

export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'));
}

export async function untilFocused(target: Locator): Promise<void> {
  await until(() => isFocused(target), { actual: () => focused(target.page()) });
}

/** The element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.outerHTML.slice(0, 200) ?? '';
  });
}
