import { z } from 'zod';
import { anchorOf, describeValue, jsonSchema } from './json-schema';
import { code, codeBlock, join, table } from './markdown';
import { common, describeCredentials, describeSchemas } from './openapi';

const message = z.looseObject({
  name: z.string(),
  summary: z.string(),
  description: z.string(),
  payload: jsonSchema,
  examples: z.array(z.looseObject({ payload: z.unknown().optional() })).default([]),
});
const asyncApi = common.extend({
  servers: z.record(z.string(), z.looseObject({ protocol: z.string(), host: z.string(), description: z.string() })),
  channels: z.record(z.string(), z.looseObject({ address: z.string(), description: z.string() })),
  components: common.shape.components.extend({ messages: z.record(z.string(), message) }),
});

/** Renders the frames of a WebSocket from the client's side, unlike the document's operations. */
export function renderAsyncApi(json: unknown): string {
  const { info, servers, channels, components } = asyncApi.parse(json);
  const frames = Object.entries(components.messages);
  const from = (side: string) =>
    frames.filter(([id]) => id.startsWith(`${side}.`)).map((frame) => renderFrame(...frame));
  return join(
    `# ${info.title}`,
    info.description,
    '## Addresses',
    table(
      ['Server', 'Description'],
      Object.values(servers).map(({ protocol, host, description }) => [code(`${protocol}://${host}`), description]),
    ),
    table(
      ['Path', 'Description'],
      Object.values(channels).map(({ address, description }) => [code(address), description]),
    ),
    describeCredentials(components.securitySchemes),
    '## Frames that clients send',
    ...from('client'),
    '## Frames that clients receive',
    ...from('server'),
    describeSchemas(components.schemas),
  );
}

function renderFrame(id: string, { name, summary, description, payload, examples }: z.infer<typeof message>): string {
  return join(
    `### ${name} {#${anchorOf('frame', id)}}`,
    summary,
    description,
    describeValue('Frame', payload),
    ...examples.map((example) => codeBlock(example.payload)),
  );
}
