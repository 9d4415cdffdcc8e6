import { framePosition, serverFrames } from '@waggle/contracts';
import { z } from 'zod';
import { clientFrameDefinitions } from '../client-frames';
import { asyncApiDocument } from './asyncapi';

const envelope = z.object({
  required: z.array(z.string()),
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })),
});
const described = z.object({
  info: z.object({ description: z.string() }),
  components: z.object({ messages: z.record(z.string(), z.object({ description: z.string(), payload: envelope })) }),
});
const { info, components } = described.parse(asyncApiDocument(clientFrameDefinitions));
const messageOf = (type: string) => components.messages[`server.${type}`];
const positionKeys = Object.keys(framePosition.shape);

/** The frames that are not entries of a stream, according to docs/chat-clients.md. */
const unsequenced = [
  ...['status', 'error', 'acknowledged', 'reauthentication-required'],
  ...['resume-complete', 'resume-failed', 'messages-read', 'read-position', 'typing', 'presence-changed'],
  ...['receipts-changed', 'draft-changed'],
];

it.each(Object.keys(serverFrames))('describes whether %s has a position on connections with sync', (type) => {
  const { properties = {}, required } = messageOf(type)?.payload ?? {};
  const keys = positionKeys.filter((key) => key in properties);
  expect(keys).toEqual(unsequenced.includes(type) ? [] : positionKeys);
  for (const key of keys) expect(properties[key]?.description).toEqual(expect.any(String));
  expect(positionKeys.filter((key) => required?.includes(key))).toEqual([]);
});

it('names the only frame of a durable type without a position', () => {
  expect(messageOf('conversation-created')?.description).toContain('an existing dm');
});

it('links to the page for client authors', () => {
  expect(info.description).toContain('chat-clients.md');
});
