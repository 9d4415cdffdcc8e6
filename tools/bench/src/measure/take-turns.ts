/** The results of each run, by who was measured. */
export type Results<R> = Readonly<Record<string, readonly R[]>>;

/** Runs each subject so many times, in turns: what disturbs the machine for a while disturbs all of them alike. */
export async function takeTurns<R>(
  runs: number,
  subjects: Readonly<Record<string, () => Promise<R>>>,
): Promise<Results<R>> {
  const results = Object.fromEntries(Object.keys(subjects).map((name): [string, R[]] => [name, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const [name, measure] of Object.entries(subjects)) results[name]?.push(await measure());
  }
  return results;
}

/** One number of each result. */
export function readingsOf<R>(results: Results<R>, read: (result: R) => number): Record<string, number[]> {
  return Object.fromEntries(Object.entries(results).map(([name, each]) => [name, each.map(read)]));
}
