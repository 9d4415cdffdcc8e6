/** A kind of conversation: the number of connected members, and its share of all messages. */
export interface ConversationKind {
  connected: number;
  share: number;
}

/** Per second. */
interface FanOutCost {
  /** Messages from Redis to instances with a receiver, including the publishing instance, which is also subscribed. */
  carried: number;
  /** Frames sent to sockets. */
  frames: number;
  /** Rows of `commit_log` read: each instance reads every commit to find messages that it missed. */
  commitsRead: number;
}

interface FanOutLoad {
  instances: number;
  messagesPerSecond: number;
  /** The number of messages stored by one commit. */
  messagesPerCommit: number;
}

/**
 * Returns the average cost of messages whose receivers, which include the sender, are distributed randomly over the instances. A
 * single instance does not use Redis.
 */
export function costOf(
  kinds: readonly ConversationKind[],
  { instances, messagesPerSecond, messagesPerCommit }: FanOutLoad,
): FanOutCost {
  const sumOf = (costOfMessage: (connected: number) => number) =>
    messagesPerSecond * kinds.reduce((sum, { connected, share }) => sum + share * costOfMessage(connected), 0);
  return {
    carried: instances === 1 ? 0 : sumOf((connected) => instancesReached(connected, instances)),
    frames: sumOf((connected) => connected),
    commitsRead: (messagesPerSecond / messagesPerCommit) * instances,
  };
}

/** The average number of instances that receive a message whose receivers are distributed randomly. */
export function instancesReached(receivers: number, instances: number): number {
  return instances * (1 - (1 - 1 / instances) ** receivers);
}
