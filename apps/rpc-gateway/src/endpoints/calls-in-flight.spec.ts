import { CallsInFlight } from './calls-in-flight';

describe('CallsInFlight', () => {
  it('limits the calls in flight of each address, and allows more when some have ended', () => {
    const inFlight = new CallsInFlight(50);
    inFlight.begin('a', 49);
    expect([inFlight.allows('a', 1), inFlight.allows('a', 2), inFlight.allows('b', 50)]).toEqual([true, false, true]);
    inFlight.begin('a', 1);
    inFlight.end('a', 49);
    expect([inFlight.allows('a', 49), inFlight.allows('a', 50)]).toEqual([true, false]);
  });

  it('forgets an address without calls in flight', () => {
    const inFlight = new CallsInFlight(50);
    inFlight.begin('a', 3);
    inFlight.end('a', 2);
    inFlight.end('a', 1);
    expect(inFlight['calls'].size).toBe(0);
  });
});
