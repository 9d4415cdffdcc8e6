import { timeLabels } from './time-labels';

const at = (text: string) => new Date(text).getTime() / 1_000;
const formatted = (text: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, options).format(new Date(text));
const day = (text: string) => formatted(text, { day: 'numeric', month: 'short' });
const minute = (text: string) => formatted(text, { timeStyle: 'short' });

it('shows the month or the day of times that are far apart', () => {
  const times = ['2026-01-01T00:00', '2026-03-01T00:00'];
  expect(timeLabels(times.map(at), 59 * 86_400)).toEqual(
    times.map((text) => formatted(text, { month: 'short', year: 'numeric' })),
  );
  expect(timeLabels(times.map(at), 86_400)).toEqual(times.map(day));
});

it('shows the time of day, with the date whenever it changes', () => {
  const times = ['2026-01-01T22:00', '2026-01-01T23:00', '2026-01-02T00:00'] as const;
  expect(timeLabels(times.map(at), 3_600)).toEqual([
    `${minute(times[0])}\n${day(times[0])}`,
    minute(times[1]),
    `${minute(times[2])}\n${day(times[2])}`,
  ]);
});
