import {
  clientFrames,
  closeCodes,
  defaultChatLimits,
  frameErrorCode,
  framePlace,
  frameReference,
  serverFrames,
  type ChatLimits,
  type ClientFrameType,
  type FrameErrorCode,
  type ServerFrameType,
} from '@waggle/contracts';
import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { z } from 'zod';
import { commonErrors, keysOf, type FrameDescription, type Frames } from '../realtime/frame';
import { closeDescriptions, frameErrorDescriptions, isDurable, serverFrameDescriptions } from './frame-descriptions';
import { apiVersion } from './version';

/** The AsyncAPI 3.0 document of the WebSocket. Actions are the service's: it receives what clients send. */
export function asyncApiDocument(frames: Frames, limits: ChatLimits = defaultChatLimits) {
  const schemas: Record<string, JsonSchema> = {};
  const describe = (schema: z.ZodType, io: 'input' | 'output') => {
    const described = jsonSchemaOf(schema, io);
    Object.assign(schemas, described.components);
    return described.schema;
  };
  const ref = describe(frameReference, 'input');
  const payloads = clientFrames(limits);
  const received = keysOf(frames).map((type) => ({
    ...frames[type],
    type,
    ref,
    payload: describe(payloads[type], 'input'),
  }));
  const sent = serverFrameTypes.map((type) => ({
    type,
    causes: causesOf(type, frames),
    ref,
    payload: describe(serverFrames[type], 'output'),
  }));
  const place = propertiesOf(describe(framePlace, 'output'));
  const messages = {
    ...Object.fromEntries(received.map((frame) => [clientMessage(frame.type), clientMessageObject(frame)])),
    ...Object.fromEntries(sent.map((frame) => [serverMessage(frame.type), serverMessageObject(frame, place)])),
  };
  const channelMessages = Object.fromEntries(
    Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
  return {
    asyncapi: '3.0.0',
    info: { title: 'Waggle chat: WebSocket', version: apiVersion, description: connecting(limits) },
    defaultContentType: 'application/json',
    servers,
    channels: {
      chat: { address: '/ws', description: 'Everything that is live.', messages: channelMessages, bindings },
      root: { address: '/', description: 'The same as `/ws`.', messages: channelMessages, bindings },
    },
    operations: {
      ...Object.fromEntries(received.map((frame) => [`receive-${frame.type}`, receiving(frame)])),
      ...Object.fromEntries(sent.map(({ type }) => [`send-${type}`, sending(type)])),
    },
    components: { messages, schemas, securitySchemes },
    'x-close-codes': Object.fromEntries(
      closeReasons.map((reason) => [String(closeCodes[reason]), closeDescriptions[reason]]),
    ),
    'x-error-codes': frameErrorDescriptions,
  };
}

interface Frame<Type> {
  type: Type;
  payload: JsonSchema;
  ref: JsonSchema;
}

const clientMessage = (type: ClientFrameType) => `client.${type}`;
const serverMessage = (type: ServerFrameType) => `server.${type}`;

const serverFrameTypes = keysOf(serverFrameDescriptions);
const closeReasons = keysOf(closeDescriptions);

type ClientFrame = Frame<ClientFrameType> & FrameDescription;

function clientMessageObject(frame: ClientFrame) {
  const { type, summary, permission, replies, otherEvents } = frame;
  const codes = errorsOf(frame);
  const toOthers = otherEvents.length > 0 ? ` Others hear ${listed(otherEvents)}.` : '';
  return {
    name: type,
    title: type,
    summary,
    description: `Permission: ${permission}.\n\nAnswered by ${listed(replies)}, or by \`error\` with ${listed(codes)}.${toOthers}`,
    payload: envelope(frame, refFromClient),
    'x-permission': permission,
    'x-answers': replies,
    'x-also-causes': otherEvents,
    'x-refusals': codes,
  };
}

/** Returns every code of an error that the frame may cause, in the order of the contract. */
export function errorsOf({ errors, isAnonymous }: FrameDescription): FrameErrorCode[] {
  const codes: readonly FrameErrorCode[] = [...commonErrors, ...errors];
  return frameErrorCode.options.filter(
    (code) => codes.includes(code) && !(isAnonymous === true && code === 'unauthenticated'),
  );
}

type ServerFrame = Frame<ServerFrameType> & { causes: readonly ClientFrameType[] };

/** @param place what lies beside the payload of a durable frame on a connection with `sync` */
function serverMessageObject({ type, causes, ...frame }: ServerFrame, place: JsonSchema) {
  const { summary, audience, placeless, example } = serverFrameDescriptions[type];
  const cause = causes.length > 0 ? ` Caused by ${listed(causes)}.` : '';
  return {
    name: type,
    title: type,
    summary,
    description: [`Heard by ${audience}.${cause}`, ...(isDurable(type) ? [placed(placeless)] : [])].join('\n\n'),
    payload: envelope({ type, ...frame }, refFromServer, isDurable(type) ? place : {}),
    ...(example === undefined ? {} : { examples: [{ payload: { type, payload: example } }] }),
    'x-audience': audience,
    'x-caused-by': causes,
  };
}

function causesOf(type: ServerFrameType, frames: Frames): ClientFrameType[] {
  return keysOf(frames).filter((cause) => [...frames[cause].replies, ...frames[cause].otherEvents].includes(type));
}

const refFromClient =
  'Any mark; the answers to this frame carry it back. What is longer, or neither text nor number, counts as none.';

const refFromServer = 'The `ref` of the frame that this answers, on the connection it came from.';

function placed(placeless: string | undefined): string {
  const exception = placeless === undefined ? '' : `, except ${placeless}`;
  return `Durable: a connection with the capability \`sync\` gets \`stream\`, \`seq\` and \`cursor\` beside \`type\`${exception}; no other does.`;
}

function propertiesOf({ properties }: JsonSchema): JsonSchema {
  return z.record(z.string(), z.unknown()).parse(properties);
}

/** @param besides further keys, all of them optional */
function envelope({ type, payload, ref }: Frame<string>, refDescription: string, besides: JsonSchema = {}) {
  // Where no field is required, a client may leave the payload out.
  const mustHavePayload = payload['type'] !== 'object' || payload['required'] !== undefined;
  return {
    type: 'object',
    required: mustHavePayload ? ['type', 'payload'] : ['type'],
    properties: {
      type: { type: 'string', const: type },
      payload,
      ref: { ...ref, description: refDescription },
      ...besides,
    },
  };
}

const chatChannel = { $ref: '#/channels/chat' };
const inChat = (message: string) => ({ $ref: `#/channels/chat/messages/${message}` });

function receiving({ type, summary, replies }: ClientFrame) {
  return {
    action: 'receive',
    channel: chatChannel,
    summary,
    messages: [inChat(clientMessage(type))],
    reply: {
      channel: chatChannel,
      messages: [...replies, 'error' as const].map((reply) => inChat(serverMessage(reply))),
    },
  };
}

function sending(type: ServerFrameType) {
  const { summary } = serverFrameDescriptions[type];
  return { action: 'send', channel: chatChannel, summary, messages: [inChat(serverMessage(type))] };
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Access token or ws_token in the Authorization header of the upgrade request, with or without `Bearer`.',
  },
  query: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'Access token or ws_token in the query of the upgrade request.',
  },
  cookie: {
    type: 'httpApiKey',
    in: 'cookie',
    name: 'access_token',
    description: 'The cookie that log-in sets; counts only where the Origin is one of those configured, or our own.',
  },
};

const security = Object.keys(securitySchemes).map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));

/** AsyncAPI has no word for it: an entry of `security` is a scheme, and no entry at all would say that none is taken. */
const securityIsOptional =
  'None of these credentials is needed to connect: a connection without any sends a token in `authenticate`.';

const servers = {
  deployed: {
    host: '{host}',
    protocol: 'wss',
    description: `A deployment, at the address of its REST API. ${securityIsOptional}`,
    variables: { host: { description: 'Where the chat is deployed', default: 'chat.example' } },
    security,
  },
  local: {
    host: 'localhost:3000',
    protocol: 'ws',
    description: `A chat on this machine. ${securityIsOptional}`,
    security,
  },
};

const bindings = {
  ws: {
    method: 'GET',
    query: {
      type: 'object',
      properties: { token: { type: 'string', description: 'Access token or ws_token' } },
    },
    bindingVersion: '0.1.0',
  },
};

function connecting({ frameBytes }: ChatLimits): string {
  return `Connect to \`/ws\` or \`/\` at the address of the REST API. Every frame, either way, is a JSON object
\`{"type": …, "payload": {…}}\` of at most ${frameBytes} bytes from a client. A client may put \`ref\` (a text of at
most 128 characters, or a number; anything else is ignored) beside \`type\`; the answers to that frame, on that connection,
carry it back.

A connection must authenticate in time (10 s unless configured otherwise), by \`authenticate\` with any of: \`payload.token\` (an access token or ws_token,
with an optional \`username\` that must be its account), the Authorization header, the cookie or \`?token=\` of the upgrade
request. It may have many sisters: all sockets of a user see all of the user’s events. One minute before the
authentication ends comes \`reauthentication-required\`; \`GET /users/refresh-token\` extends the open sockets of the
session, and so does \`authenticate\`, which may be empty then.

Who fetches a channel over REST (\`GET /messages/conversation\` or \`/messages/chats\`) follows it: its events come to all their
sockets though they be no member, until \`leave-conversation\`. An account follows at most 50 channels, and no longer the one that it
asked for first.

What a client gets that names \`capabilities\` in \`authenticate\` (places, cursors, resuming, \`client_id\`, receipts, typing, presence) is on the
[page for client authors](../chat-clients.md), \`docs/chat-clients.md\` of the repository; nobody else sees any of it.

What is refused is answered by \`error\`, and changes nothing.

| error code | why |
| --- | --- |
${frameErrorCode.options.map((code) => `| \`${code}\` | ${frameErrorDescriptions[code]} |`).join('\n')}

| close code | why |
| --- | --- |
${closeReasons.map((reason) => `| ${closeCodes[reason]} | ${closeDescriptions[reason]} |`).join('\n')}
`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
