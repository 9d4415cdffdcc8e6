import { serverFrames } from '@waggle/contracts';
import { isFrame } from './envelope';

it('rejects payloads that the contract rejects', () => {
  const envelope = { ref: undefined, position: undefined, cursor: undefined };
  for (const [type, schema] of Object.entries(serverFrames)) {
    expect([type, schema.safeParse({}).success, isFrame({ ...envelope, type, payload: {} })]).toEqual([
      type,
      false,
      false,
    ]);
  }
  expect(isFrame({ ...envelope, type: 'constructor', payload: {} })).toBe(false);
});
