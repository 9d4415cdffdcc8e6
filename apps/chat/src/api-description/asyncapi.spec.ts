import { framePlace, serverFrames } from '@waggle/contracts';
import { z } from 'zod';
import { frames } from '../frames';
import { asyncApiDocument } from './asyncapi';

const envelope = z.object({
  required: z.array(z.string()),
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })),
});
const described = z.object({
  info: z.object({ description: z.string() }),
  components: z.object({ messages: z.record(z.string(), z.object({ description: z.string(), payload: envelope })) }),
});
const { info, components } = described.parse(asyncApiDocument(frames));
const messageOf = (type: string) => components.messages[`server.${type}`];
const placeKeys = Object.keys(framePlace.shape);

/** Those that docs/chat-clients.md names as no entries of a stream. */
const placeless = [
  ...['status', 'error', 'acknowledged', 'reauthentication-required'],
  ...['resume-complete', 'resume-failed', 'messages-read', 'typing', 'presence-changed'],
];

it.each(Object.keys(serverFrames))('says whether %s comes with a place, to those who ask for places', (type) => {
  const { properties = {}, required } = messageOf(type)?.payload ?? {};
  const keys = placeKeys.filter((key) => key in properties);
  expect(keys).toEqual(placeless.includes(type) ? [] : placeKeys);
  for (const key of keys) expect(properties[key]?.description).toEqual(expect.any(String));
  expect(placeKeys.filter((key) => required?.includes(key))).toEqual([]);
});

it('names the one frame of a durable type that has no place', () => {
  expect(messageOf('conversation-created')?.description).toContain('a dm that exists already');
});

it('leads to the page for client authors', () => {
  expect(info.description).toContain('chat-clients.md');
});
