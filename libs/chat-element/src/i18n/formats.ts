/** A phrase in each plural form of a language; `#` stands for the number. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Writes numbers, dates and lists in a language. */
export class Formats {
  readonly #numbers: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;
  readonly #times: Intl.DateTimeFormat;
  readonly #weekdays: Intl.DateTimeFormat;
  readonly #datesThisYear: Intl.DateTimeFormat;
  readonly #datesWithYear: Intl.DateTimeFormat;
  readonly #shortDates: Intl.DateTimeFormat;
  readonly #moments: Intl.DateTimeFormat;
  readonly #lists: Intl.ListFormat;

  constructor(readonly language: string) {
    this.#numbers = new Intl.NumberFormat(language);
    this.#plurals = new Intl.PluralRules(language);
    // The language may be the page's; the clock is the user's.
    const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
    this.#times = new Intl.DateTimeFormat(language, { timeStyle: 'short', hourCycle });
    this.#weekdays = new Intl.DateTimeFormat(language, { weekday: 'short' });
    this.#datesThisYear = new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric' });
    this.#datesWithYear = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
    this.#shortDates = new Intl.DateTimeFormat(language, { dateStyle: 'short' });
    this.#moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', hourCycle });
    this.#lists = new Intl.ListFormat(language, { type: 'conjunction' });
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  /** The phrase for a count, with the number in the place of `#`. */
  plural(count: number, forms: Forms): string {
    return (forms[this.#plurals.select(count)] ?? forms.other).replace('#', this.number(count));
  }

  list(names: readonly string[]): string {
    return this.#lists.format(names);
  }

  time(date: Date): string {
    return this.#times.format(date);
  }

  /** The size of a file. */
  bytes(bytes: number): string {
    const [unit, size] = bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6];
    const maximumFractionDigits = size < 10 ? 1 : 0;
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, maximumFractionDigits }).format(size);
  }

  /** Date and time, for tooltips and the list of sessions. */
  moment(date: Date): string {
    return this.#moments.format(date);
  }

  /** The heading of a day in a list: "Today", "Yesterday" or the date. */
  dayHeading(date: Date, now: Date, { today, yesterday }: { today: string; yesterday: string }): string {
    const daysAgo = daysBetween(date, now);
    if (daysAgo === 0) return today;
    if (daysAgo === 1) return yesterday;
    return (date.getFullYear() === now.getFullYear() ? this.#datesThisYear : this.#datesWithYear).format(date);
  }

  /** The time if it is today, the weekday within a week, otherwise the date. */
  brief(date: Date, now: Date): string {
    const daysAgo = daysBetween(date, now);
    if (daysAgo === 0) return this.time(date);
    return (daysAgo > 0 && daysAgo < 7 ? this.#weekdays : this.#shortDates).format(date);
  }
}

/**
 * Calendar days from a date to another one in the time zone of the browser. Rounds, because a day may have 23 or 25
 * hours.
 */
export function daysBetween(date: Date, later: Date): number {
  const dayMs = 24 * 60 * 60 * 1_000;
  return Math.round((midnightOf(later) - midnightOf(date)) / dayMs);
}

function midnightOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
