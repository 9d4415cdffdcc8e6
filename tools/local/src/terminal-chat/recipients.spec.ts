import { Recipients } from './recipients';

it('goes back from accounts that get no message, in any order of the failures', () => {
  const recipients = new Recipients('bob');
  for (const account of ['nosuch', 'nobody']) recipients.choose(account);
  recipients.reject('nosuch');
  expect(recipients.current).toBe('nobody');
  recipients.reject('nobody');
  expect(recipients.current).toBe('bob');
});

it('keeps an account that got a message, and the one of the start', () => {
  const recipients = new Recipients('bob');
  recipients.reject('bob');
  expect(recipients.current).toBe('bob');
  recipients.choose('carol');
  recipients.confirm('carol');
  // Carol has blocked the account since.
  recipients.reject('carol');
  expect(recipients.current).toBe('carol');
  recipients.choose('nosuch');
  recipients.reject('nosuch');
  expect(recipients.current).toBe('carol');
});

it('does not go back to an account that was left again', () => {
  const recipients = new Recipients('bob');
  for (const account of ['carol', 'bob', 'dave']) recipients.choose(account);
  recipients.reject('dave');
  expect(recipients.current).toBe('bob');
});
