import path from 'node:path';
import { fillChatDemo, repositoryFolder, runAndEnd } from '@waggle/running';
import { launchBrowser } from '@waggle/testing/browser';
import { ChatWindow } from './chat-window';
import { WebStack } from './stack';

/** Takes the picture of the chat that the README shows. */
runAndEnd(async (running) => {
  const stack = await WebStack.start(running);
  const { url } = await stack.startChat();
  await fillChatDemo(url);
  const browser = await launchBrowser();
  running.keep({ stop: () => browser.close() });
  const context = await browser.newContext({ viewport: { width: 1200, height: 720 }, locale: 'en-GB' });
  const window = await ChatWindow.open(context, url);
  await window.signIn('alice');
  await window.openConversation('Honey harvest');
  await window.message('Who brings the coffee?').waitFor();
  const file = path.join(repositoryFolder, 'docs/chat.png');
  await window.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  console.log(`Wrote ${path.relative(repositoryFolder, file)}.`);
  return 0;
});
