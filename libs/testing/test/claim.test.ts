import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const claimants: ChildProcess[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'waggle-claims-'));
afterAll(() => {
  for (const claimant of claimants) claimant.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function startClaimant(): Promise<void> {
  const execArgv = ['-r', path.join(__dirname, 'typescript.cjs')];
  const claimant = fork(path.join(__dirname, 'claimant.ts'), { execArgv });
  claimants.push(claimant);
  await once(claimant, 'message');
}

/** Sends all claimants a message at the same time. @returns their sorted responses */
async function outcomes(message: { claimed?: string }): Promise<unknown[]> {
  const responses = claimants.map(async (claimant) => {
    const response = once(claimant, 'message');
    claimant.send(message);
    return (await response)[0] as unknown;
  });
  return (await Promise.all(responses)).toSorted();
}

it('gives the claim of a process that has died to one of many processes', async () => {
  await Promise.all(Array.from({ length: 4 }, startClaimant));
  const wanted = ['AlreadyClaimedError', 'AlreadyClaimedError', 'AlreadyClaimedError', 'claimed'];
  const rounds: unknown[] = [];
  for (let round = 1; round <= 100; round += 1) {
    const claimed = path.join(folder, 'claimed');
    mkdirSync(claimed);
    writeFileSync(path.join(claimed, '2147483647 1'), '');
    rounds.push(await outcomes({ claimed }));
    await outcomes({});
  }
  expect(rounds.filter((round) => JSON.stringify(round) !== JSON.stringify(wanted))).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
