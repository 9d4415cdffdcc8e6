import { type Fault } from './fault';

/** Of so many of the clients the connections are reset again and again, also while they resume. */
const share = 1 / 5;
const times = 8;

export const cutSocketsAgain: Fault = {
  name: 'cut-sockets-again',
  strikes: ({ clients, random, pace }) => [
    {
      target: 'sockets',
      run: async () => {
        const struck = random.sample(clients, Math.ceil(clients.length * share));
        for (let time = 1; time <= times; time += 1) {
          for (const { front } of struck) if (random.chance(1 / 2)) front.cut();
          await pace.moment();
        }
      },
    },
  ],
};
