import { type Attachment } from '@waggle/client';
import { type BrowserContext } from 'playwright-core';
import { type ChatWindow } from '../../src/chat-window';
import { type ChatSite } from './chat-site';
import { honeycomb } from './honeycomb';

/** A host of pictures that the service allows. Its only picture is in the context of the view that shows it. */
export const pictureHost = 'pictures.test';

/** Functions that open the views of a chat with the demo. One that changes what is unread has its own account. */
export function viewsOf(site: ChatSite) {
  return {
    'sign-in': async (context) => {
      const window = await site.open(context);
      await window.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
      return window;
    },
    conversations: (context) => site.signedIn('alice', context),
    'no-conversations': async (context) => {
      const window = await site.signedIn('judy', context);
      // On a phone it is hidden.
      await window.page.locator('.welcome').waitFor({ state: 'attached' });
      return window;
    },
    people: async (context) => {
      const window = await site.signedIn('alice', context);
      await window.openPeople();
      await window.page.locator('waggle-people .entry').first().waitFor();
      return window;
    },
    'new-conversation': async (context) => {
      const window = await site.signedIn('alice', context);
      await window.openNewConversation();
      await window.page.getByRole('option').first().waitFor();
      return window;
    },
    'new-group': async (context) => {
      const window = await site.signedIn('alice', context);
      await window.openNewConversation();
      await window.pick('carol dave nobody-here');
      await window.page.getByText('nobody-here does not exist').waitFor();
      return window;
    },
    channels: async (context) => {
      const window = await site.signedIn('alice', context);
      await window.openChannels();
      await window.page.locator('waggle-channels .entry').first().waitFor();
      return window;
    },
    settings: async (context) => {
      const window = await site.signedIn('grace', context);
      await window.openSettings();
      await window.page.locator('waggle-settings li').waitFor();
      return window;
    },
    conversation: async (context) => {
      const window = await site.signedIn('carol', context);
      await window.openConversation('alice');
      await window.message('see you at ten').waitFor();
      return window;
    },
    details: async (context) => {
      const window = await site.signedIn('dave', context);
      await window.openConversation('Honey harvest');
      await window.openDetails();
      return window;
    },
    'details-creator': async (context) => {
      const window = await site.signedIn('alice', context);
      await window.openConversation('Honey harvest');
      await window.openDetails();
      return window;
    },
    'details-dm': async (context) => {
      const window = await site.signedIn('carol', context);
      await window.openConversation('alice');
      await window.openDetails();
      return window;
    },
    'details-channel': async (context) => {
      const window = await site.signedIn('bob', context);
      await window.openConversation('Beekeepers');
      await window.openDetails();
      // Port and id differ each time.
      await window.page.locator('waggle-conversation-details .address').evaluate((address) => {
        address.textContent = 'chat.example/app/#/beekeepers';
      });
      return window;
    },
    'rich-messages': async (context) => {
      const picture = { width: 640, height: 240, media_type: 'image/png', name: 'The comb of hive four' };
      const bytes = honeycomb(picture.width, picture.height);
      const url = `https://${pictureHost}/comb.png`;
      await context.route(url, (route) => route.fulfill({ body: bytes, contentType: picture.media_type }));
      await writeRichMessages(site, { ...picture, url, bytes: bytes.length });
      const window = await site.signedIn('ivan', context);
      await window.openConversation('Inspection');
      await window.message('Answer me').locator('.quote').waitFor();
      await window.page.locator('waggle-message-list .picture img').waitFor();
      const message = window.message('Both are calm');
      // A touch screen has no pointer that hovers.
      await message.hover();
      await message.focus();
      await message.getByRole('button', { name: 'Reply' }).click();
      return window;
    },
    'formatted-messages': async (context) => {
      await writeFormattedMessages(site);
      const window = await site.signedIn('frank', context);
      await window.openConversation('Notes');
      await window.message('Agreed').locator('.quote').waitFor();
      return window;
    },
    question: async (context) => {
      const window = await site.signedIn('dave', context);
      await window.openConversation('Honey harvest');
      await window.openDetails();
      await window.press(/^Leave/);
      await window.page.locator('dialog[open]').waitFor();
      return window;
    },
  } satisfies Record<string, (context: BrowserContext) => Promise<ChatWindow>>;
}

export function viewNames(views: ReturnType<typeof viewsOf>): (keyof typeof views)[] {
  return Object.keys(views).filter((name): name is keyof typeof views => name in views);
}

/** A group with a picture, replies, edits, reactions, a mention, a pinned message and receipts. */
async function writeRichMessages(site: ChatSite, picture: Attachment): Promise<void> {
  const id = await site.createGroup('Inspection', 'ivan', ['grace', 'heidi']);
  const [ivan, grace, heidi] = await Promise.all([site.as('ivan'), site.as('grace'), site.as('heidi')]);
  const plan = await grace.send(id, 'Hive four has no queen. Shall we join it with hive two before the rain comes?');
  const doubt = await heidi.send(id, 'Maybe', { replyTo: plan.id });
  await heidi.editMessage(doubt.id, 'Only if both colonies are calm. I look at them at noon and tell you.');
  const both = await heidi.send(id, 'Both are calm, @ivan. I have the **smoker** with me', { attachments: [picture] });
  const gone = await ivan.send(id, 'I cannot come');
  const yes = await ivan.send(id, 'Then we do it at four. I bring the newspaper between the boxes.', {
    replyTo: doubt.id,
  });
  await ivan.editMessage(yes.id, 'Then we do it at five. I bring the newspaper to put between the boxes.');
  await grace.send(id, 'Answer me when you are there, @ivan', { replyTo: gone.id });
  await ivan.pinMessage(plan.id);
  await grace.acknowledge(id);
  await ivan.deleteMessage(gone.id);
  for (const [chat, message, emoji] of [
    [ivan, plan, '👍'],
    [heidi, plan, '👍'],
    [heidi, plan, '😮'],
    [grace, yes, '🎉'],
    [heidi, yes, '🎉'],
    [ivan, both, '❤️'],
  ] as const)
    await chat.addReaction(message.id, emoji);
}

/** A group whose messages use all that Markdown has here. */
async function writeFormattedMessages(site: ChatSite): Promise<void> {
  const id = await site.createGroup('Notes', 'frank', ['heidi']);
  const [frank, heidi] = await Promise.all([site.as('frank'), site.as('heidi')]);
  await heidi.send(
    id,
    '**Saturday** is _only_ for hive two, ~~not hive four~~. See `notes.txt` by @frank in #hive-12345',
  );
  await frank.send(
    id,
    '> Who brings the smoker?\n> And the **veils**?\n\nI do. [The list](https://hive.blog/@frank/list) has all.',
  );
  const list = await heidi.send(
    id,
    'Before we start:\n1. Light the smoker\n   - dry grass\n   - `cardboard`\n2. Open the *second* box\n\nThen wait.',
  );
  await frank.send(id, '```js\nfor (const hive of hives) {\n  if (hive.weight < 20) feed(hive, "@syrup");\n}\n```');
  await heidi.send(id, '- **דבש** מהכוורת\n- סוכר');
  await frank.send(id, 'Agreed', { replyTo: list.id });
  await frank.acknowledge(id);
}
