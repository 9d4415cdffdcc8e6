import { type Experience } from './honest/honest-load';
import { type Figures } from './measurement/measurement';
import { faultsOf, type ServiceOutcome } from './outcome';

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
const faults = (changes: Partial<ServiceOutcome>, judgesTimes = true) =>
  faultsOf(
    {
      services: [{ service: 'delegation', before: experience(), during: experience(), figures: figures(), ...changes }],
      findings: [],
    },
    { judgesTimes },
  );

it('finds no fault with a service that refuses honest requests by its documented limits', () => {
  expect(faults({ during: experience({ limited: 5, p99Ms: 20 }) })).toEqual([]);
});

it.each<[string, Partial<ServiceOutcome>, string]>([
  ['has died', { figures: figures({ died: { how: 'SIGABRT', afterSeconds: 2 } }) }, 'died after 2.0 s (SIGABRT)'],
  ['takes more than its limit', { figures: figures({ residentMaxBytes: 2 ** 30 }) }, 'took 1024 MiB of 512 MiB'],
  ['fails honest requests', { during: experience({ failed: { 'GET: status 500': 3 } }) }, 'failed 3 honest requests'],
  ['answers nothing', { during: experience({ count: 2, limited: 2, p99Ms: undefined }) }, 'answered no honest request'],
])('finds that a service %s', (_what, changes, fault) => {
  expect(faults(changes, false).join()).toContain(fault);
});

it('judges latency and health probes only in a long run', () => {
  const slow = { during: experience({ p99Ms: 21 }), figures: figures({ liveFailures: 1 }) };
  expect(faults(slow, false)).toEqual([]);
  expect(faults(slow).join()).toContain('2.1 times slower');
  expect(faults(slow).join()).toContain('1 health probes');
});

it('tells of findings that are faults', () => {
  const findings = [
    { what: 'renewal', value: 'allowed', isFault: true },
    { what: 'log-in', value: 'refused', isFault: false },
  ];
  expect(faultsOf({ services: [], findings }, { judgesTimes: true })).toEqual(['renewal: allowed']);
});
