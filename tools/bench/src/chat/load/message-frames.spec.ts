import { messageFrames, numberOf } from './message-frames';

it('creates messages of equal length that begin with their number', () => {
  const frame = messageFrames('01J"', 'bob');
  const parsed: unknown = JSON.parse(frame(1_234_567));
  expect(parsed).toMatchObject({ type: 'chat-message', payload: { conversation_id: '01J"', to: 'bob' } });
  expect(parsed).toHaveProperty('payload.message', expect.stringMatching(/^1234567\. The .{51}$/));
});

it('adds a unique client_id on request', () => {
  const [frame, other] = [messageFrames('01J', 'bob', true), messageFrames('01J', 'bob', true)];
  const clientIds = [frame(1), frame(2), other(1)].map((text) => /"client_id":"([^"]+)"}}$/.exec(text)?.[1]);
  expect(new Set(clientIds).size).toBe(3);
  expect(messageFrames('01J', 'bob')(1)).not.toContain('client_id');
});

it('finds the number in a received frame', () => {
  const received = (content: string) =>
    Buffer.from(JSON.stringify({ type: 'chat-message', payload: { id: '9', content } }));
  expect(numberOf(received('0. The'))).toBe(0);
  expect(numberOf(received('1234567. The'))).toBe(1_234_567);
  expect(numberOf(Buffer.from('{"type":"error","payload":{"code":"forbidden"}}'))).toBeUndefined();
});
