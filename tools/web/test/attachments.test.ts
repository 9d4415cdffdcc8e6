import { createHash } from 'node:crypto';
import { devnetKeys, signDigest } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { installFakeKeychain } from './support/fake-wallets';
import { untilFocused } from './support/focus';
import { ImageHost, imageHostName } from './support/image-host';

const host = new ImageHost();
afterAll(() => host.stop());
const hosts = { ATTACHMENT_HOSTS: `${imageHostName},files.test`, WEB_CLIENT_IMAGE_HOST: imageHostName };
const site = ChatSite.forTests({
  settings: () => Promise.resolve(hosts),
  origins: () => [`https://${imageHostName}`],
  browserFlags: () => host.start(),
});

/** A picture with a text chunk, as cameras and editors add to say where it was made. */
function picture(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  for (let i = 0; i < png.data.length; i += 4) png.data.set([242, (i / 4) % 256, 13, 255], i);
  const bytes = PNG.sync.write(png);
  const text = Buffer.from('tEXtLocation\0Brasilia');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length - 4);
  const chunk = Buffer.concat([length, text, crcOf(text)]);
  const end = bytes.length - 12;
  return Buffer.concat([bytes.subarray(0, end), chunk, bytes.subarray(end)]);
}

function crcOf(bytes: Buffer): Buffer {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const result = Buffer.alloc(4);
  result.writeUInt32BE(~crc >>> 0);
  return result;
}

const file = (name: string, width = 400, height = 300) => ({
  name,
  mimeType: 'image/png',
  buffer: picture(width, height),
});

const uploadsOf = ({ page }: ChatWindow) => page.locator('waggle-composer .upload');
const choose = ({ page }: ChatWindow, ...files: ReturnType<typeof file>[]) =>
  page.locator('waggle-composer input[type="file"]').setInputFiles(files);
const untilUploaded = async (window: ChatWindow, count: number) => {
  await until(async () => (await uploadsOf(window).locator('.muted').count()) === count);
};
const picturesOf = ({ page }: ChatWindow) => page.locator('waggle-message-list .picture');

async function openWith(account: string): Promise<ChatWindow> {
  const bob = await site.as('bob');
  await bob.sendTo(account, 'Hi');
  const window = await site.signedIn(account);
  await window.openConversation('bob');
  await window.message('Hi').waitFor();
  return window;
}

/** Drops or pastes files, as no input of the test can. */
async function transfer(page: Page, selector: string, type: 'drop' | 'paste', name: string): Promise<void> {
  const bytes = [...picture(60, 40)];
  await page.locator(selector).evaluate(
    (element, { kind, data, fileName }) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(data)], fileName, { type: 'image/png' }));
      const options = { bubbles: true, composed: true, cancelable: true };
      if (kind === 'drop') {
        element.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: files }));
        element.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: files }));
      } else element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: files }));
    },
    { kind: type, data: bytes, fileName: name },
  );
}

it('uploads a chosen image without its metadata, signed, and shows it in the space that it takes', async () => {
  const alice = await openWith('alice');
  const { page } = alice;
  await choose(alice, file('At the hive.png'));
  await untilUploaded(alice, 1);
  expect(await accessibilityViolations(page)).toEqual([]);
  const [uploaded] = host.uploads.splice(0);
  expect(uploaded).toMatchObject({ account: 'alice', signs: 'image', fileName: 'At-the-hive.png' });
  expect(uploaded?.bytes.includes('Brasilia')).toBe(false);
  expect(PNG.sync.read(uploaded?.bytes ?? Buffer.of())).toMatchObject({ width: 400, height: 300 });
  await alice.send('Look');
  await alice.message('Look').getByLabel('Sent').waitFor();
  const image = picturesOf(alice).locator('img');
  expect(await image.getAttribute('alt')).toBe('At the hive.png');
  expect(await image.getAttribute('loading')).toBe('lazy');
  await until(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth === 400));
  // As much space as the attributes reserve before it is loaded.
  expect(await image.boundingBox()).toMatchObject({ width: 360, height: 270 });
  expect(host.reads.every(({ referrer }) => referrer === undefined)).toBe(true);
  const { api } = await site.as('alice');
  const [conversation] = await api.conversations();
  const { messages } = await api.historyPage(conversation?.id ?? '', { extended: true });
  const sha256 = createHash('sha256')
    .update(uploaded?.bytes ?? '')
    .digest('hex');
  const attachment = { name: 'At the hive.png', media_type: 'image/png', width: 400, height: 300, sha256 };
  expect(messages.at(-1)).toMatchObject({ attachments: [{ ...attachment, bytes: uploaded?.bytes.length }] });
  expect(await alice.message('Look').textContent()).not.toContain('https://');
  expect(await accessibilityViolations(page)).toEqual([]);
});

longTest('takes dropped and pasted images, and sends them without a text', async () => {
  const carol = await openWith('carol');
  const { page } = carol;
  await transfer(page, 'waggle-message-list', 'drop', 'dropped.png');
  await transfer(page, 'waggle-composer textarea', 'paste', 'pasted.png');
  await untilUploaded(carol, 2);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await until(async () => (await picturesOf(carol).count()) === 2);
  expect(
    await picturesOf(carol)
      .locator('img')
      .evaluateAll((all) => all.map((each) => each.getAttribute('alt'))),
  ).toEqual(['dropped.png', 'pasted.png']);
  expect(await uploadsOf(carol).count()).toBe(0);
});

longTest('shows progress, cancels, and tries again after an error', async () => {
  const dave = await openWith('dave');
  const { page } = dave;
  const before = host.uploads.length;
  let open = (): void => undefined;
  host.gate = new Promise((resolve) => (open = resolve));
  await choose(dave, file('cancelled.png'));
  await uploadsOf(dave).getByRole('progressbar', { name: 'Uploading: cancelled.png' }).waitFor();
  await until(() => host.waiting === 1);
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await uploadsOf(dave).getByRole('button', { name: 'Remove cancelled.png' }).click();
  expect(await uploadsOf(dave).count()).toBe(0);
  // The request ends, too.
  await until(() => host.waiting === 0);
  open();
  for (const [status, text] of [
    [429, 'You have uploaded too many images.'],
    [403, 'The image host does not accept this upload.'],
    [503, 'The image was not uploaded.'],
  ] as const) {
    host.nextStatus = status;
    await choose(dave, file(`status-${status}.png`));
    const failed = uploadsOf(dave).filter({ hasText: `status-${status}.png` });
    await failed.getByRole('alert').getByText(text).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.locator('.muted').waitFor();
  }
  expect(host.uploads.length - before).toBe(3);
  await choose(dave, { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await uploadsOf(dave).getByText('This is no image that can be sent.').waitFor();
});

it('shows the images of a message one at a time, and returns the focus', async () => {
  const erin = await openWith('erin');
  const { page } = erin;
  await choose(erin, file('one.png', 800, 600), file('two.png', 300, 500));
  await untilUploaded(erin, 2);
  await erin.send('Two');
  // Until then its images cannot be opened.
  await erin.message('Two').getByLabel('Sent').waitFor();
  const first = picturesOf(erin).first();
  await first.press('Enter');
  const dialog = page.locator('waggle-lightbox dialog[open]');
  await dialog.getByRole('img', { name: 'one.png' }).waitFor();
  await untilFocused(dialog.getByRole('button', { name: 'Close' }));
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('img', { name: 'two.png' }).waitFor();
  await dialog.getByRole('button', { name: 'Previous image' }).click();
  await dialog.getByRole('img', { name: 'one.png' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await untilFocused(first);
});

it('loads nothing from a host that the page does not allow, and links other files', async () => {
  const bob = await site.as('bob');
  const image = { media_type: 'image/png', bytes: 10, width: 10, height: 10 };
  const list = {
    url: 'https://files.test/list.pdf',
    name: 'list.pdf',
    media_type: 'application/pdf',
    bytes: 1_500_000,
  };
  await bob.sendTo('frank', 'Files', { attachments: [list] });
  const frank = await site.signedIn('frank');
  await frank.openConversation('bob');
  const link = frank.message('Files').getByRole('link', { name: 'list.pdf' });
  expect(await link.getAttribute('href')).toBe(list.url);
  expect(await link.textContent()).toContain('1.5 MB');
  // What was allowed when it was sent need not be allowed now.
  await site.restart({ ...hosts, ATTACHMENT_HOSTS: `${imageHostName},former.test` });
  const url = 'https://former.test/a.png';
  await bob.sendTo('grace', 'Formerly', { attachments: [{ ...image, url, name: 'former.png' }] });
  await site.restart(hosts);
  const grace = await site.signedIn('grace');
  await grace.openConversation('bob');
  await grace.message('Formerly').getByRole('link', { name: 'former.png' }).waitFor();
  expect(await picturesOf(grace).count()).toBe(0);
});

longTest('lets Hive Keychain sign the image', async () => {
  const bob = await site.as('bob');
  await bob.sendTo('heidi', 'Hi');
  await site.restart({ ...hosts, DEVNET_ACCOUNTS: '' });
  const context = await site.newContext();
  await installFakeKeychain(context, (account, text) => {
    // As hive-keychain-extension reads it (src/background/requests/operations/ops/sign-buffer.ts).
    const isBuffer = text.startsWith('{"type":"Buffer"');
    const bytes = isBuffer ? Buffer.from((JSON.parse(text) as { data: number[] }).data) : Buffer.from(text);
    return signDigest(createHash('sha256').update(bytes).digest(), devnetKeys(account).posting.wif);
  });
  const heidi = await site.open(context);
  await heidi.page.getByLabel('Account name').fill('heidi');
  await heidi.page.getByRole('button', { name: 'Sign in with Hive Keychain' }).click();
  await heidi.openConversation('bob');
  host.uploads.splice(0);
  await choose(heidi, file('signed.png'));
  await untilUploaded(heidi, 1);
  expect(host.uploads).toMatchObject([{ account: 'heidi', signs: 'image' }]);
  await site.restart(hosts);
});
