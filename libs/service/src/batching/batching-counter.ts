import { Counter, type Registry } from 'prom-client';

interface Counted<Label extends string> {
  readonly labels: Record<Label, string>;
  count: number;
}

/**
 * A counter for frequent events. It resolves labels when the metrics are read; prom-client does so at every increment,
 * which takes longer than many of the counted operations.
 */
export class BatchingCounter<Label extends string> {
  private readonly counted = new Map<string, Counted<Label>>();

  constructor(
    name: string,
    help: string,
    private readonly labelNames: readonly Label[],
    registry: Registry,
  ) {
    const { counted } = this;
    new Counter({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        for (const { labels, count } of counted.values()) this.inc(labels, count);
        counted.clear();
      },
    });
  }

  /** @param values of the labels, in their order */
  add(count: number, ...values: string[]): void {
    const key = values.join(' ');
    const counted = this.counted.get(key);
    if (counted === undefined) this.counted.set(key, { labels: this.labelled(values), count });
    else counted.count += count;
  }

  private labelled(values: readonly string[]): Record<Label, string> {
    return Object.fromEntries(this.labelNames.map((name, i) => [name, values[i] ?? ''])) as Record<Label, string>;
  }
}
