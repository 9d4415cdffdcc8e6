import { type Random } from '@waggle/testing';

/** A message: at which instance its sender is, and at which each of those who hear it is, the sender's sockets included. */
export interface PlacedMessage {
  sender: number;
  hearers: readonly number[];
}

/** What messages cost a cluster. */
export interface FanOutCost {
  messages: number;
  /** Over Redis: one for each message that somebody at another instance may hear. */
  published: number;
  /** From Redis to instances that have a hearer, the publishing one included, which is subscribed as well. */
  carried: number;
  /** To sockets. */
  frames: number;
  /** Rows of `commit_log` that instances read to see that they missed nothing: each reads every commit. */
  commitsRead: number;
}

export interface Cluster {
  instances: number;
  /** Messages that one commit stores together. */
  messagesPerCommit: number;
}

/** Adds up what the messages cost. Publishing is left out where there is one instance alone, which has no need of Redis. */
export function costOf(messages: readonly PlacedMessage[], { instances, messagesPerCommit }: Cluster): FanOutCost {
  const cost = { messages: messages.length, published: 0, carried: 0, frames: 0, commitsRead: 0 };
  for (const { sender, hearers } of messages) {
    cost.frames += hearers.length;
    if (instances === 1) continue;
    cost.published += 1;
    cost.carried += new Set([sender, ...hearers]).size;
  }
  cost.commitsRead = Math.ceil(messages.length / messagesPerCommit) * instances;
  return cost;
}

/** A kind of conversation: so many of its members are connected, and so much of all that is written is written there. */
export interface ConversationKind {
  connected: number;
  share: number;
}

/** Messages of conversations whose members are at instances by chance, as a balancer puts them there. */
export function placeMessages(
  count: number,
  instances: number,
  kinds: readonly ConversationKind[],
  random: Random,
): PlacedMessage[] {
  return kinds.flatMap(({ connected, share }) =>
    Array.from({ length: Math.round(count * share) }, () => {
      const hearers = Array.from({ length: connected }, () => random.below(instances));
      return { sender: hearers[0] ?? random.below(instances), hearers };
    }),
  );
}

/** How many instances hear a message on average when so many hearers are spread over so many instances by chance. */
export function instancesReached(hearers: number, instances: number): number {
  return instances * (1 - (1 - 1 / instances) ** hearers);
}
