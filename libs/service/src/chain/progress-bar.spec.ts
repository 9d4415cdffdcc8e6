import { ProgressBar, progressText } from './progress-bar';

const progress = { block: 500, target: 1_000, remainingBlocks: 500, blocksPerSecond: 100, etaSeconds: 5 };

it.each([
  [5, '5 s left'],
  [600, '10 min left'],
  [14_100, '3 h 55 min left'],
  [176_400, '2 d 1 h left'],
])('shows share, blocks, rate and that %d s are "%s"', (etaSeconds, left) => {
  expect(progressText({ ...progress, etaSeconds })).toBe(
    `[############------------]  50.0 %  500 of 1,000 blocks  100 blocks/s  ${left}`,
  );
});

it('shows no time left while no block is applied', () => {
  expect(progressText({ ...progress, blocksPerSecond: 0, etaSeconds: undefined })).toMatch(/0 blocks\/s$/);
});

it('draws one line, at most four times a second, and clears it at the end', () => {
  const written: string[] = [];
  const bar = new ProgressBar({ columns: 40, write: (text) => written.push(text) });
  bar.update('main', progress);
  bar.update('main', { ...progress, block: 510 });
  bar.update('main', undefined);
  bar.update('main', undefined);
  expect(written).toEqual(['\r\u001b[2Kmain [############------------]  50.0 %\r', '\r\u001b[2K\r']);
});
