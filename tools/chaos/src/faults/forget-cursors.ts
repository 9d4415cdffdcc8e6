import { type Fault } from './fault';

/** So many of the clients lose their connections, and forget how far they had heard: they have to fetch what they missed. */
const share = 1 / 10;

export const forgetCursors: Fault = {
  name: 'forget-cursors',
  strikes: ({ clients, random }) => [
    {
      target: 'sockets',
      run: () => {
        for (const client of random.sample(clients, Math.ceil(clients.length * share))) {
          client.forget();
          client.front.cut();
        }
        return Promise.resolve();
      },
    },
  ],
};
