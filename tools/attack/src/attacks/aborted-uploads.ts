import { connect } from 'node:net';
import { pause } from '@waggle/running/waiting';
import { ChatUser } from '../target/chat-user';
import { type Target } from '../target/target';
import { type RuleAttack } from './attack';

/** Enough for the service to notice that the connection is gone, and to log it. */
const waitMs = 1_000;
const aborts = 5;
/** Node's error of an aborted upload. Other attacks at the same time may cause errors of the database. */
const abortedError = /ECONNRESET|aborted/;

export const abortedUploads: RuleAttack = {
  kind: 'rule',
  name: 'low-11',
  summary: 'aborts uploads, which must not be logged as a failure of the database',
  services: ['chat'],
  attempt: async (target) => {
    const { process } = target.service('chat');
    const user = await ChatUser.start(target);
    for (let abort = 0; abort < aborts; abort += 1) await abortUpload(target, user.session.token);
    await pause(waitMs);
    const isLogged = process.lastLines.some((line) => line.includes('database') && abortedError.test(line));
    await user.close();
    return [
      {
        what: 'aborted upload',
        value: isLogged ? 'logged as a failure of the database' : 'not logged as a failure of the database',
        isFailure: isLogged,
      },
    ];
  },
};

/** Announces a body, sends its beginning and resets the connection. */
async function abortUpload(target: Target, token: string): Promise<void> {
  const { hostname, port } = new URL(target.service('chat').url);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /users/settings HTTP/1.1',
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 1000',
  ];
  await new Promise<void>((resolve) => {
    socket.on('error', () => {
      resolve();
    });
    socket.on('close', () => {
      resolve();
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n{"dm":`, () => {
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
  });
}
