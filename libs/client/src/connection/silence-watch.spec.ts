import { SilenceWatch } from './silence-watch';

const limits = { silenceMs: 1_000, probeMs: 200 };

let happened: string[];
let watch: SilenceWatch;

beforeEach(() => {
  jest.useFakeTimers();
  happened = [];
  watch = new SilenceWatch(limits, {
    probe: () => happened.push('probe'),
    onDead: () => happened.push('dead'),
  });
});
afterEach(() => {
  watch.stop();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

it('probes after a silence, and reports the connection as dead if nothing arrives', () => {
  jest.advanceTimersByTime(999);
  expect(happened).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(happened).toEqual(['probe']);
  jest.advanceTimersByTime(200);
  expect(happened).toEqual(['probe', 'dead']);
});

it('notices a silence although the clock was set back', () => {
  watch.onFrame();
  jest.setSystemTime(Date.now() - 3_600_000);
  jest.advanceTimersByTime(1_200);
  expect(happened).toEqual(['probe', 'dead']);
});

it('accepts any frame, before and after a probe', () => {
  jest.advanceTimersByTime(900);
  watch.onFrame();
  jest.advanceTimersByTime(999);
  expect(happened).toEqual([]);
  jest.advanceTimersByTime(1);
  watch.onFrame();
  jest.advanceTimersByTime(999);
  expect(happened).toEqual(['probe']);
  jest.advanceTimersByTime(1);
  expect(happened).toEqual(['probe', 'probe']);
});

it('probes at once on request', () => {
  watch.probe();
  jest.advanceTimersByTime(200);
  expect(happened).toEqual(['probe', 'dead']);
});

it('does not wait longer if it is asked to probe again before a frame arrives', () => {
  watch.probe();
  jest.advanceTimersByTime(150);
  watch.probe();
  jest.advanceTimersByTime(50);
  expect(happened).toEqual(['probe', 'dead']);
});

it('probes again on request after a frame', () => {
  watch.probe();
  watch.onFrame();
  watch.probe();
  jest.advanceTimersByTime(200);
  expect(happened).toEqual(['probe', 'probe', 'dead']);
});
