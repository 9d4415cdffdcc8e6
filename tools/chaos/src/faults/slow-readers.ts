import { type Fault } from './fault';

/** Members of one group stop to read, while the others write more than is kept for them. */
export const slowReaders: Fault = {
  name: 'slow-readers',
  strikes: ({ conversations, load, random, pace }) => [
    {
      target: 'readers',
      run: async () => {
        const group = random.pick(conversations.filter(({ kind }) => kind === 'group'));
        const half = Math.floor(group.writers.length / 2);
        const slow = random.sample(group.writers, half);
        const writers = group.writers.filter((writer) => !slow.includes(writer));
        for (const { front } of slow) front.deafen();
        try {
          await Promise.all([pace.frozen(), load.flood(group, writers, pace.ranges.floodMessages)]);
        } finally {
          for (const { front } of slow) front.hear();
        }
      },
    },
  ],
};
