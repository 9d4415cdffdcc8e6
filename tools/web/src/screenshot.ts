import path from 'node:path';
import { fillChatDemo, repositoryFolder, runAndEnd } from '@waggle/running';
import { launchBrowser } from '@waggle/testing/browser';
import { ChatWindow } from './chat-window';
import { WebStack } from './stack';

interface Picture {
  file: string;
  viewport: { width: number; height: number };
  /** Custom properties of the element. */
  properties: Record<string, string>;
}

/** The chat as it is by default, for the README of the repository. */
const plain: Picture = { file: 'docs/chat.png', viewport: { width: 1200, height: 720 }, properties: {} };

/** The chat with other colours and shapes, for the README of chat-element. */
const themed: Picture = {
  file: 'libs/chat-element/theming.png',
  viewport: { width: 900, height: 560 },
  properties: {
    '--waggle-accent': '#7a3fb5',
    '--waggle-surface': '#fffaf2',
    '--waggle-canvas': '#f5ead8',
    '--waggle-own': '#ead9f7',
    '--waggle-selected': '#ead9f7',
    '--waggle-hover': '#f7efe2',
    '--waggle-border': '#e4d6bf',
    '--waggle-radius': '4px',
    '--waggle-font': 'Georgia, serif',
  },
};

/** Takes the pictures of the chat that the documents show. */
runAndEnd(async (running) => {
  const stack = await WebStack.start(running);
  const { url } = await stack.startChat();
  await fillChatDemo(url);
  const browser = await launchBrowser();
  running.use({ stop: () => browser.close() });
  for (const { file, viewport, properties } of [plain, themed]) {
    const context = await browser.newContext({ viewport, locale: 'en-GB', colorScheme: 'light' });
    const window = await ChatWindow.open(context, url);
    await window.page.locator('waggle-chat').evaluate((element, set) => {
      for (const [name, value] of Object.entries(set)) element.style.setProperty(name, value);
    }, properties);
    await window.signIn('alice');
    await window.openConversation('Honey harvest');
    await window.message('Who brings the coffee?').waitFor();
    await window.entry('Honey harvest').locator('.badge').waitFor({ state: 'detached' });
    await window.page.screenshot({ path: path.join(repositoryFolder, file), animations: 'disabled', caret: 'hide' });
    console.log(`Wrote ${file}.`);
    await context.close();
  }
  return 0;
});
