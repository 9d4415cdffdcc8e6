import { type Fault } from './fault';

/** Every connection between an instance and PostgreSQL is reset: what was on its way may have been committed or not. */
export const cutPostgres: Fault = {
  name: 'cut-postgres',
  strikes: ({ stack }) => [
    {
      target: 'PostgreSQL',
      run: () => {
        stack.postgresFront.cut();
        return Promise.resolve();
      },
    },
  ],
};
