import { SilenceWatch } from './silence';

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

it('asks after a silence, and takes silence for death', () => {
  jest.advanceTimersByTime(999);
  expect(happened).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(happened).toEqual(['probe']);
  jest.advanceTimersByTime(200);
  expect(happened).toEqual(['probe', 'dead']);
});

it('is content with any frame, before and after it asked', () => {
  jest.advanceTimersByTime(900);
  watch.heard();
  jest.advanceTimersByTime(999);
  expect(happened).toEqual([]);
  jest.advanceTimersByTime(1);
  watch.heard();
  jest.advanceTimersByTime(999);
  expect(happened).toEqual(['probe']);
  jest.advanceTimersByTime(1);
  expect(happened).toEqual(['probe', 'probe']);
});

it('asks at once when told to', () => {
  watch.probe();
  jest.advanceTimersByTime(200);
  expect(happened).toEqual(['probe', 'dead']);
});
