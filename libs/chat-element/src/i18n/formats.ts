/** The forms of a word after a number; `#` stands for the number. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Writes numbers, dates and lists in a language. */
export class Formats {
  readonly #numbers: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;
  readonly #times: Intl.DateTimeFormat;
  readonly #weekdays: Intl.DateTimeFormat;
  readonly #days: Intl.DateTimeFormat;
  readonly #daysOfYears: Intl.DateTimeFormat;
  readonly #shortDates: Intl.DateTimeFormat;
  readonly #moments: Intl.DateTimeFormat;
  readonly #lists: Intl.ListFormat;

  constructor(readonly language: string) {
    this.#numbers = new Intl.NumberFormat(language);
    this.#plurals = new Intl.PluralRules(language);
    this.#times = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    this.#weekdays = new Intl.DateTimeFormat(language, { weekday: 'short' });
    this.#days = new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric' });
    this.#daysOfYears = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
    this.#shortDates = new Intl.DateTimeFormat(language, { dateStyle: 'short' });
    this.#moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    this.#lists = new Intl.ListFormat(language, { type: 'conjunction' });
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  /** A number with the form that the language has for it. */
  plural(count: number, forms: Forms): string {
    return (forms[this.#plurals.select(count)] ?? forms.other).replace('#', this.number(count));
  }

  list(names: readonly string[]): string {
    return this.#lists.format(names);
  }

  time(date: Date): string {
    return this.#times.format(date);
  }

  /** Date and time, for tooltips and lists. */
  moment(date: Date): string {
    return this.#moments.format(date);
  }

  /** The heading of a day in a list: "Today", "Yesterday" or the date. */
  dayHeading(date: Date, now: Date, { today, yesterday }: { today: string; yesterday: string }): string {
    const days = daysBetween(date, now);
    if (days === 0) return today;
    if (days === 1) return yesterday;
    return (date.getFullYear() === now.getFullYear() ? this.#days : this.#daysOfYears).format(date);
  }

  /** The time if it is today, the weekday within a week, otherwise the date. */
  brief(date: Date, now: Date): string {
    const days = daysBetween(date, now);
    if (days === 0) return this.time(date);
    return (days > 0 && days < 7 ? this.#weekdays : this.#shortDates).format(date);
  }
}

/** Calendar days from a date to another one in the time zone of the browser. */
export function daysBetween(date: Date, later: Date): number {
  const dayMs = 24 * 60 * 60 * 1_000;
  return Math.round((midnightOf(later) - midnightOf(date)) / dayMs);
}

function midnightOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
