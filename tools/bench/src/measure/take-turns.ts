/** The results of all runs, by subject. */
export type Results<R> = Readonly<Record<string, readonly R[]>>;

/** Measures the subjects in turns, so that a disturbance of the machine affects all of them. */
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

/** Returns one number of each result. */
export function readingsOf<R>(results: Results<R>, read: (result: R) => number): Record<string, number[]> {
  return Object.fromEntries(Object.entries(results).map(([name, each]) => [name, each.map(read)]));
}
