import { Client } from '@waggle/service';
import { CallsInFlight } from './calls-in-flight';

const [a, b] = [new Client('a'), new Client('b')];

describe('CallsInFlight', () => {
  it('limits the calls in flight of each address, and allows more when some have ended', () => {
    const inFlight = new CallsInFlight(50);
    inFlight.begin(a, 49);
    expect([inFlight.allows(a, 1), inFlight.allows(a, 2), inFlight.allows(b, 50)]).toEqual([true, false, true]);
    inFlight.begin(a, 1);
    inFlight.end(a, 49);
    expect([inFlight.allows(a, 49), inFlight.allows(a, 50)]).toEqual([true, false]);
  });

  it('allows a client as many calls as its own limit', () => {
    const named = new Client('a', { name: 'named', limits: { 'calls-at-once': 60 } });
    expect([50, 60, 61].map((calls) => new CallsInFlight(50).allows(named, calls))).toEqual([true, true, false]);
  });

  it('forgets an address without calls in flight', () => {
    const inFlight = new CallsInFlight(50);
    inFlight.begin(a, 3);
    inFlight.end(a, 2);
    inFlight.end(a, 1);
    expect(inFlight['calls'].size).toBe(0);
  });
});
