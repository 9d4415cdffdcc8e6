import { Session } from './api/session';
import { completed, defaultTimeLimits } from './options';

const tokens = { account: 'alice', admin: false, accessToken: '', webSocketToken: '', refreshToken: '' };
const session = new Session({ url: 'http://localhost', tokens });

/** Options of a program without types. */
const untyped = (options: object) => completed(Object.assign({ session }, options));

it('treats undefined options as absent', () => {
  const nothing = undefined;
  expect(
    untyped({
      capabilities: nothing,
      frameBytes: nothing,
      backoff: { firstMs: nothing },
      timeLimits: { responseMs: nothing, openMs: 7 },
      outbox: { limit: nothing, store: nothing },
    }),
  ).toEqual(untyped({ timeLimits: { openMs: 7 } }));
  expect(untyped({ timeLimits: { responseMs: nothing } }).timeLimits).toEqual(defaultTimeLimits);
});

it('uses the given options', () => {
  const given = untyped({ capabilities: ['sync'], backoff: { firstMs: 3 }, outbox: { limit: 5 } });
  expect(given).toMatchObject({ capabilities: ['sync'], backoff: { firstMs: 3 }, outbox: { limit: 5, inFlight: 16 } });
});
