import { Chat, logIn, RejectedError } from '@waggle/client';
import { signAs } from './chat-instance';

const aliceToCarol: readonly [speaker: string, text: string][] = [
  ['carol', 'Hi Alice! Did you catch the swarm in the apple tree?'],
  ['alice', 'Just in time. It is in the blue hive now, and calm.'],
  ['carol', 'Wonderful. I can bring a spare queen excluder tomorrow.'],
  ['alice', 'Yes please! Around ten? There is fresh honey for breakfast 🍯'],
  ['carol', 'Perfect, see you at ten.'],
];

const harvest: readonly [speaker: string, text: string][] = [
  ['bob', 'The extractor is clean and ready.'],
  ['dave', 'I have 40 jars, and labels for all of them.'],
  ['alice', 'Great! How to keep them from crystallizing: https://hive.blog/honey/@bob/a-jar-of-honey'],
  ['bob', 'Who brings the coffee?'],
];

/**
 * Fills a new chat with example conversations through its public interface: a direct message, a group, a channel and a
 * friend request. Does nothing if alice already has a conversation.
 */
export async function fillChatDemo(url: string): Promise<void> {
  const chats = new Map<string, Chat>();
  const as = async (account: string): Promise<Chat> => {
    const known = chats.get(account);
    if (known !== undefined) return known;
    const chat = new Chat({ session: await logIn({ url, account, sign: (text) => signAs(account, text) }) });
    chats.set(account, chat);
    await chat.connect();
    return chat;
  };
  const talk = async (id: string, lines: readonly [string, string][]): Promise<void> => {
    for (const [speaker, text] of lines) {
      const chat = await as(speaker);
      await chat.send(id, text);
      // Who answers has read what is above.
      await chat.acknowledge(id);
    }
  };
  try {
    const alice = await as('alice');
    if ((await alice.api.conversations()).length > 0) return;
    const channel = await (await as('bob')).api.createChannel('Beekeepers');
    await talk(channel.id, [
      ['bob', 'Welcome to the channel of all beekeepers. Everyone may read and write here.'],
      ['alice', 'Good morning! The lime trees are in bloom.'],
    ]);
    const { conversation } = await alice.createGroup(['bob', 'dave'], 'The honey harvest is on Saturday. Who is in?');
    await alice.rename(conversation.id, 'Honey harvest');
    await talk(conversation.id, harvest);
    const first = await alice.sendTo('carol', 'Good morning, Carol!');
    await talk(first.conversation_id, aliceToCarol);
    await (await as('erin')).requestFriendship('alice').catch((error: unknown) => {
      // An earlier demo, whose conversations alice left, made the request: it is pending or accepted.
      if (!(error instanceof RejectedError && error.code === 'conflict')) throw error;
    });
  } finally {
    for (const chat of chats.values()) await chat.close();
  }
}
