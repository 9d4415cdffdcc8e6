const daySeconds = 24 * 60 * 60;

const formats = {
  month: new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' }),
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
  minute: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  second: new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }),
};

/**
 * Labels of an axis, as exact as the distance of its times needs. The first time of each day has its date below. Times
 * are seconds since 1970.
 */
export function timeLabels(times: readonly number[], stepSeconds: number): string[] {
  if (stepSeconds >= 28 * daySeconds) return times.map((seconds) => formats.month.format(seconds * 1_000));
  if (stepSeconds >= daySeconds) return times.map((seconds) => formats.day.format(seconds * 1_000));
  const timeOfDay = stepSeconds >= 60 ? formats.minute : formats.second;
  let previousDay = '';
  return times.map((seconds) => {
    const day = formats.day.format(seconds * 1_000);
    const label = timeOfDay.format(seconds * 1_000);
    if (day === previousDay) return label;
    previousDay = day;
    return `${label}\n${day}`;
  });
}
