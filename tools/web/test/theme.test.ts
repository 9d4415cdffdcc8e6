import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Page } from 'playwright-core';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

/** Brands of other sites, and colours at the edges of the rules. */
const brands = ['', '#e31337', '#357ce6', '#7a3fb5', '#00b894', '#ffe066', '#e0e0e0', '#111111', '#ff00ff', '#0a5fc0'];

/** Text or line, the surface behind it, and the contrast that WCAG 2.2 asks for. */
const pairs = [
  ['--_text', '--_canvas', 4.5],
  ['--_text', '--_own', 4.5],
  ['--_text', '--_selected', 4.5],
  ['--_muted', '--_canvas', 4.5],
  ['--_muted', '--_raised', 4.5],
  ['--_muted', '--_own', 4.5],
  ['--_on-accent', '--_accent', 4.5],
  ['--_accent-text', '--_canvas', 4.5],
  ['--_accent-text', '--_raised', 4.5],
  ['--_accent-text', '--_own', 4.5],
  ['--_accent-text', '--_surface', 4.5],
  ['--_danger', '--_surface', 4.5],
  ['--_on-warning', '--_warning', 4.5],
  ['--_field', '--_surface', 3],
] as const;

longTest.each(['light', 'dark'] as const)(
  'has readable colours for every brand in the %s theme',
  async (colorScheme) => {
    const { page } = await site.open(await site.newContext({ colorScheme }));
    await page.getByRole('button', { name: 'alice', exact: true }).waitFor();
    const tooLow: string[] = [];
    for (const brand of brands) {
      for (const [front, back, least] of pairs) {
        const contrast = await contrastOf(page, brand, front, back);
        if (!(contrast >= least)) tooLow.push(`${brand}: ${front} on ${back} has ${contrast.toFixed(2)}`);
      }
    }
    expect(tooLow).toEqual([]);
  },
);

longTest.each(['light', 'dark'] as const)(
  'shows the focus of a field by a line in the %s theme',
  async (colorScheme) => {
    const window = await site.signedIn('alice', await site.newContext({ colorScheme }));
    await window.openNewConversation();
    const field = window.page.locator('waggle-people-picker .field');
    const lineOf = () =>
      field.evaluate((element) => {
        const { borderTopColor, borderTopWidth, boxShadow } = getComputedStyle(element);
        return { borderTopColor, borderTopWidth, boxShadow };
      });
    const focused = await lineOf();
    // Two pixels of the same colour.
    expect(focused).toMatchObject({ borderTopWidth: '1px', boxShadow: `${focused.borderTopColor} 0px 0px 0px 1px` });
    await window.page.getByRole('tab', { name: 'People' }).focus();
    expect((await lineOf()).boxShadow).toBe('none');
  },
);

longTest.each(['en-GB', 'es-ES', 'ko-KR'])('has the choices of a setting beside its name in %s', async (locale) => {
  const context = await site.newContext({ locale, viewport: { width: 320, height: 640 } });
  const window = await site.signedIn('alice', context);
  await window.page.locator('waggle-chat .list header button.me').click();
  const groups = window.page.getByRole('radiogroup');
  await groups.first().waitFor();
  const boxes = await groups.evaluateAll((all) =>
    all.map((group) => Array.from(group.children, (child) => child.getBoundingClientRect())),
  );
  expect(boxes).toHaveLength(3);
  for (const [name, choices] of boxes) {
    expect(choices?.left).toBe(boxes[0]?.[1]?.left);
    expect(name?.right).toBeLessThanOrEqual(choices?.left ?? NaN);
    expect(
      Math.abs((name?.top ?? NaN) + (name?.bottom ?? NaN) - (choices?.top ?? NaN) - (choices?.bottom ?? NaN)),
    ).toBeLessThan(2);
  }
});

longTest('has readable letters in each of the 24 colours of accounts', async () => {
  const { page } = await site.open();
  const avatar = page.locator('waggle-sign-in .avatar').first();
  await avatar.waitFor();
  const contrasts = await avatar.evaluate((element) =>
    Array.from({ length: 24 }, (_, index) => {
      element.setAttribute('class', `avatar c${index}`);
      const { color, backgroundColor } = getComputedStyle(element);
      const [one = 0, other = 0] = [color, backgroundColor].map(luminance).toSorted((a, b) => b - a);
      return (one + 0.05) / (other + 0.05);

      function luminance(shown: string): number {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        if (canvas === null) throw new Error('no canvas');
        canvas.fillStyle = shown;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
          .map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      }
    }),
  );
  expect(new Set(contrasts).size).toBeGreaterThan(20);
  expect(contrasts.filter((contrast) => contrast < 4.5)).toEqual([]);
});

it('keeps the chosen appearance after a reload, in other tabs and before signing in', async () => {
  const context = await site.newContext({ colorScheme: 'light' });
  const window = await site.signedIn('alice', context);
  const other = await site.open(context);
  await window.openSettings();
  for (const choice of ['Dark', 'Large', 'Compact']) await window.page.getByRole('radio', { name: choice }).check();
  for (const { page } of [window, other]) await until(() => hasAppearance(page, { isDark: true, fontPx: 18 }));
  await window.page.reload();
  await window.page.locator('waggle-settings').waitFor();
  expect(await hasAppearance(window.page, { isDark: true, fontPx: 18 })).toBe(true);
  await window.page.locator('waggle-chat').evaluate((element) => {
    element.setAttribute('theme', 'light');
  });
  await until(() => hasAppearance(window.page, { isDark: false, fontPx: 18 }));
});

it('follows the text size of the browser', async () => {
  const { page } = await site.open(await site.newContext());
  await until(() => hasAppearance(page, { isDark: false, fontPx: 15 }));
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px';
  });
  await until(() => hasAppearance(page, { isDark: false, fontPx: 30 }));
});

longTest('separates messages by borders where colours are forced', async () => {
  const window = await site.signedIn('bob');
  const carol = await site.as('carol');
  await carol.sendTo('bob', 'Hello');
  await window.openConversation('carol');
  const bubble = window.message('Hello').locator('.bubble');
  const borderWidth = () => bubble.evaluate((element) => getComputedStyle(element).borderTopWidth);
  expect(await borderWidth()).toBe('0px');
  await window.page.emulateMedia({ forcedColors: 'active' });
  expect(await borderWidth()).toBe('1px');
});

longTest('prints all loaded messages', async () => {
  const window = await site.signedIn('dave');
  const erin = await site.as('erin');
  for (let line = 1; line <= 45; line += 1) await erin.sendTo('dave', `Line ${line}`);
  await window.openConversation('erin');
  await window.message('Line 45').waitFor();
  const pdf = (await window.page.pdf()).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeGreaterThan(1);
});

/** Whether the element has a theme and a size of text. */
function hasAppearance(page: Page, expected: { isDark: boolean; fontPx: number }): Promise<boolean> {
  return page.locator('waggle-chat').evaluate((element, { isDark, fontPx }) => {
    const { colorScheme, fontSize } = getComputedStyle(element);
    const isShownDark =
      colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    return isShownDark === isDark && Math.round(Number.parseFloat(fontSize)) === fontPx;
  }, expected);
}

/** The contrast of two tokens of the element, as WCAG 2.2 defines it. */
function contrastOf(page: Page, brand: string, front: string, back: string): Promise<number> {
  return page.locator('waggle-chat').evaluate(
    (element: HTMLElement, [color, first, second]) => {
      if (color === '') element.style.removeProperty('--waggle-accent');
      else element.style.setProperty('--waggle-accent', color);
      const [one = 0, other = 0] = [first, second].map(luminance).toSorted((a, b) => b - a);
      return (one + 0.05) / (other + 0.05);

      function luminance(token: string): number {
        const probe = document.createElement('div');
        probe.style.backgroundColor = `var(${token})`;
        element.shadowRoot?.append(probe);
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        if (canvas === null) throw new Error('no canvas');
        canvas.fillStyle = getComputedStyle(probe).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        probe.remove();
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
          .map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      }
    },
    [brand, front, back] as const,
  );
}
