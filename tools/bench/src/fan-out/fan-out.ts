import { type Random } from '@waggle/testing';

/** The instances of the sender of a message and of all its receivers, including the sender's sockets. */
export interface PlacedMessage {
  sender: number;
  receivers: readonly number[];
}

export interface FanOutCost {
  messages: number;
  /** Messages published to Redis. */
  published: number;
  /** Messages from Redis to instances with a receiver, including the publishing instance, which is also subscribed. */
  carried: number;
  /** Frames sent to sockets. */
  frames: number;
  /** Rows of `commit_log` read: each instance reads every commit to find messages that it missed. */
  commitsRead: number;
}

export interface Cluster {
  instances: number;
  /** The number of messages stored by one commit. */
  messagesPerCommit: number;
}

/** Adds up the cost of the messages. A single instance does not use Redis. */
export function costOf(messages: readonly PlacedMessage[], { instances, messagesPerCommit }: Cluster): FanOutCost {
  const cost = { messages: messages.length, published: 0, carried: 0, frames: 0, commitsRead: 0 };
  for (const { sender, receivers } of messages) {
    cost.frames += receivers.length;
    if (instances === 1) continue;
    cost.published += 1;
    cost.carried += new Set([sender, ...receivers]).size;
  }
  cost.commitsRead = Math.ceil(messages.length / messagesPerCommit) * instances;
  return cost;
}

/** A kind of conversation: the number of connected members, and its share of all messages. */
export interface ConversationKind {
  connected: number;
  share: number;
}

/** Creates messages of conversations whose members are distributed randomly over the instances. */
export function placeMessages(
  count: number,
  instances: number,
  kinds: readonly ConversationKind[],
  random: Random,
): PlacedMessage[] {
  return kinds.flatMap(({ connected, share }) =>
    Array.from({ length: Math.round(count * share) }, () => {
      const receivers = Array.from({ length: connected }, () => random.below(instances));
      return { sender: receivers[0] ?? random.below(instances), receivers };
    }),
  );
}

/** The average number of instances that receive a message whose receivers are distributed randomly. */
export function instancesReached(receivers: number, instances: number): number {
  return instances * (1 - (1 - 1 / instances) ** receivers);
}
