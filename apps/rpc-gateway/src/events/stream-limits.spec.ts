import { StreamLimits } from './stream-limits';

it('limits the streams of an address, and releases them', () => {
  const limits = new StreamLimits({ maxStreams: 10, maxStreamsPerAddress: 2 });
  const close = limits.open('one', 1);
  limits.open('one', 1);
  expect(() => limits.open('one', 1)).toThrow('at most 2 streams per address');
  limits.open('another', 1);
  close();
  limits.open('one', 1);
});

it('limits the streams of the process', () => {
  const limits = new StreamLimits({ maxStreams: 2, maxStreamsPerAddress: 2 });
  limits.open('one', 1);
  const close = limits.open('two', 1);
  expect(() => limits.open('three', 1)).toThrow('this instance has reached its limit of streams');
  close();
  limits.open('three', 1);
});

it('limits the accounts of an address to the free capacity', () => {
  const limits = new StreamLimits({ maxStreams: 100, maxStreamsPerAddress: 100 });
  const close = limits.open('one', 1_000);
  expect(() => limits.open('one', 1)).toThrow('too many accounts in the streams of this address');
  limits.open('two', 500);
  close();
  limits.open('one', 700);
});
