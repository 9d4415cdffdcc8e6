import { hasCounted } from './attacks/attack';
import { type Experience } from './honest/honest-load';
import { type Figures } from './measurement/measurement';
import { failuresOf, outcomeOfLoad, type ServiceOutcome } from './outcome';

const experience = (changes: Partial<Experience> = {}): Experience => ({
  count: 10,
  limited: 0,
  failed: {},
  p50Ms: 5,
  p99Ms: 10,
  ...changes,
});
const figures = (changes: Partial<Figures> = {}): Figures => ({
  residentMaxBytes: 200 * 2 ** 20,
  liveP99Ms: 2,
  liveMaxMs: 3,
  liveFailures: 0,
  eventLoopP99Ms: 12,
  died: undefined,
  ...changes,
});
const failures = (changes: Partial<ServiceOutcome>, checksTimes = true) =>
  failuresOf(
    {
      services: [{ service: 'delegation', before: experience(), during: experience(), figures: figures(), ...changes }],
      findings: [],
    },
    { checksTimes },
  );

it('passes a service that rejects legitimate requests by its documented limits', () => {
  expect(failures({ during: experience({ limited: 5, p99Ms: 20 }) })).toEqual([]);
});

it.each<[string, Partial<ServiceOutcome>, string]>([
  ['has died', { figures: figures({ died: { how: 'SIGABRT', afterSeconds: 2 } }) }, 'died after 2.0 s (SIGABRT)'],
  ['exceeds its memory', { figures: figures({ residentMaxBytes: 2 ** 30 }) }, 'took 1024 MiB of 512 MiB'],
  ['fails honest requests', { during: experience({ failed: { 'GET: status 500': 3 } }) }, 'failed 3 honest requests'],
  ['completes nothing', { during: experience({ count: 2, limited: 2, p99Ms: undefined }) }, 'completed no honest'],
])('fails a service that %s', (_what, changes, failure) => {
  expect(failures(changes, false).join()).toContain(failure);
});

it('checks latency and health probes only in a long run', () => {
  const slow = { during: experience({ p99Ms: 21 }), figures: figures({ liveFailures: 1 }) };
  expect(failures(slow, false)).toEqual([]);
  expect(failures(slow).join()).toContain('2.1 times slower');
  expect(failures(slow).join()).toContain('1 health probes');
});

it('reports findings that are failures', () => {
  const findings = [
    { what: 'renewal', value: 'allowed', isFailure: true },
    { what: 'log-in', value: 'rejected', isFailure: false },
  ];
  expect(failuresOf({ services: [], findings }, { checksTimes: true })).toEqual(['renewal: allowed']);
});

it('fails if an attacker was not limited, or received what must not be sent', () => {
  const isLimited = hasCounted('status 429');
  const attack = { name: 'flood', summary: 'sends many requests', isLimited, forbidden: ['response too long'] };
  const failuresWith = (counts: Record<string, number>) =>
    outcomeOfLoad(attack, { services: [], counts, findings: [] }, { checksTimes: false }).failures;
  expect(failuresWith({ 'status 429': 1 })).toEqual([]);
  expect(failuresWith({ 'status 200': 60 })).toEqual(['the attacker was not limited']);
  expect(failuresWith({ 'status 429': 1, 'response too long': 2 })).toEqual(['response too long: 2']);
});
