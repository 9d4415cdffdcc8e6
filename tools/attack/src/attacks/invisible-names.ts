import { mustBeRejected, type RuleAttack } from './attack';
import { ChatUser } from '../target/chat-user';
import { type Target } from '../target/target';

/** Code points that show nothing, alone or between letters. */
const invisible = [0x3164, 0x2800, 0x115f, 0xe0041, 0xfe0f, 0x034f, 0x17b4];

export const invisibleNames: RuleAttack = {
  kind: 'rule',
  name: 'low-10',
  summary: 'names and messages of characters that are invisible',
  services: ['chat'],
  attempt: async (target) => {
    const alone = await acceptedNames(target, (character) => character);
    const between = await acceptedNames(target, (character) => `wag${character}gle`);
    const messages = await acceptedMessages(target);
    return [
      mustBeRejected(namesOf('channel named by one alone', alone), alone.length > 0),
      mustBeRejected(namesOf('channel name with one between letters', between), between.length > 0),
      mustBeRejected(namesOf('message of one alone', messages), messages.length > 0),
    ];
  },
};

async function acceptedNames(target: Target, nameWith: (character: string) => string): Promise<number[]> {
  const user = await ChatUser.start(target);
  const accepted: number[] = [];
  for (const codePoint of invisible) {
    const body = JSON.stringify({ name: nameWith(String.fromCodePoint(codePoint)) });
    const { status } = await user.send('/users/channels', { method: 'POST', body });
    if (status === 429) throw new Error('the attack exceeds the request limit');
    if (status < 400) accepted.push(codePoint);
  }
  await user.close();
  return accepted;
}

async function acceptedMessages(target: Target): Promise<number[]> {
  const user = await ChatUser.start(target);
  const to = target.newAccount();
  const accepted: number[] = [];
  for (const codePoint of invisible) {
    const message = String.fromCodePoint(codePoint);
    if (await user.may('chat-message', { to, message })) accepted.push(codePoint);
  }
  await user.close();
  return accepted;
}

function namesOf(what: string, accepted: readonly number[]): string {
  const names = accepted.map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  return names.length === 0 ? what : `${what} (${names.join(', ')})`;
}
