import { Client } from '@waggle/service';
import { StreamLimits } from './stream-limits';

it('limits the streams of an address, and releases them', () => {
  const limits = new StreamLimits({ maxStreams: 10, maxStreamsPerAddress: 2 });
  const close = limits.open(new Client('one'), 1);
  limits.open(new Client('one'), 1);
  expect(() => limits.open(new Client('one'), 1)).toThrow('at most 2 streams at once');
  limits.open(new Client('another'), 1);
  close();
  limits.open(new Client('one'), 1);
});

it('allows a client as many streams as its own limit', () => {
  const limits = new StreamLimits({ maxStreams: 10, maxStreamsPerAddress: 1 });
  const named = new Client('one', { name: 'named', limits: { 'event-streams-per-address': 2 } });
  limits.open(named, 1);
  limits.open(named, 1);
  expect(() => limits.open(named, 1)).toThrow('at most 2 streams at once');
});

it('limits the streams of the process', () => {
  const limits = new StreamLimits({ maxStreams: 2, maxStreamsPerAddress: 2 });
  limits.open(new Client('one'), 1);
  const close = limits.open(new Client('two'), 1);
  expect(() => limits.open(new Client('three'), 1)).toThrow('this instance has reached its limit of streams');
  close();
  limits.open(new Client('three'), 1);
});

it('limits the accounts of an address to the free capacity', () => {
  const limits = new StreamLimits({ maxStreams: 100, maxStreamsPerAddress: 100 });
  const close = limits.open(new Client('one'), 1_000);
  expect(() => limits.open(new Client('one'), 1)).toThrow('too many accounts in the streams of this address');
  limits.open(new Client('two'), 500);
  close();
  limits.open(new Client('one'), 700);
});
