import { type Fault } from './fault';

/** Of so many of the clients the connections are reset. */
const share = 1 / 3;

export const cutSockets: Fault = {
  name: 'cut-sockets',
  strikes: ({ clients, random }) => [
    {
      target: 'sockets',
      run: () => {
        for (const { front } of random.sample(clients, Math.ceil(clients.length * share))) front.cut();
        return Promise.resolve();
      },
    },
  ],
};
