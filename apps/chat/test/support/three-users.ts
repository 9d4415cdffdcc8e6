import { type Capability } from '@waggle/contracts';
import { type ChatUser } from './chat-client';
import { type ChatSocket } from './chat-socket';
import { type ChatUnderTest } from './chat-under-test';

/** Alice and bob at one instance, carol at another, each with a connection that has capabilities. */
export interface ThreeUsers {
  alice: ChatUser;
  bob: ChatUser;
  carol: ChatUser;
  ofAlice: ChatSocket;
  ofBob: ChatSocket;
  ofCarol: ChatSocket;
}

/** @param chat started with Redis */
export async function joinThreeUsers(chat: ChatUnderTest, capabilities: readonly Capability[]): Promise<ThreeUsers> {
  const other = await chat.addInstance();
  const [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
  const carol = await other.join('carol');
  const [ofAlice, ofBob, ofCarol] = await Promise.all([
    alice.connect(capabilities),
    bob.connect(capabilities),
    carol.connect(capabilities),
  ]);
  return { alice, bob, carol, ofAlice, ofBob, ofCarol };
}
