import {
  clientFrames,
  closeCodes,
  defaultChatLimits,
  frameErrorCode,
  framePosition,
  frameReference,
  isDurable,
  serverFrameDescriptions,
  serverFrames,
  type ChatLimits,
  type ClientFrameType,
  type FrameErrorCode,
  type ServerFrameType,
} from '@waggle/contracts';
import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { z } from 'zod';
import { authenticationDeadlineDefaultSeconds } from '../realtime/realtime-settings';
import { commonErrors, keysOf, type FrameDescription, type Frames } from '../realtime/frame-definition';
import { closeDescriptions, frameErrorDescriptions } from './code-descriptions';

/**
 * The version in the OpenAPI and AsyncAPI documents. It does not depend on the release, and is not part of any path.
 */
export const apiVersion = '0.1.0';

/**
 * Generates the AsyncAPI 3.0 document of the WebSocket. Its operations take the service's side: it receives what
 * clients send.
 */
export function asyncApiDocument(frames: Frames, limits: ChatLimits = defaultChatLimits) {
  const { received, sent, position, schemas } = describedFrames(frames, limits);
  const messages = {
    ...Object.fromEntries(received.map((frame) => [clientMessage(frame.type), clientMessageObject(frame)])),
    ...Object.fromEntries(sent.map((frame) => [serverMessage(frame.type), serverMessageObject(frame, position)])),
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
      chat: { address: '/ws', description: 'All frames.', messages: channelMessages, bindings },
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

/** Returns the frames with the schemas of their payloads, and the schemas that these refer to by name. */
function describedFrames(frames: Frames, limits: ChatLimits) {
  const schemas: Record<string, JsonSchema> = {};
  const describe = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
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
    origins: originsOf(type, frames),
    ref,
    payload: describe(serverFrames[type], 'output'),
  }));
  const position = propertiesOf(describe(framePosition, 'output'));
  return { received, sent, position, schemas };
}

/** A frame type with the JSON schemas of its payload and of `ref`. */
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

/** Describes a frame that clients send, as a Message Object of AsyncAPI. */
function clientMessageObject(frame: ClientFrame) {
  const { type, summary, permission, replies, eventsToOthers } = frame;
  const codes = errorsOf(frame);
  const toOthers = eventsToOthers.length > 0 ? ` Other accounts receive ${listed(eventsToOthers)}.` : '';
  return {
    name: type,
    title: type,
    summary,
    description: `Permission: ${permission}.\n\nReplies: ${listed([...replies, 'error'])}; the codes of \`error\` are ${listed(codes)}.${toOthers}`,
    payload: envelope(frame, refFromClient),
    'x-permission': permission,
    'x-replies': replies,
    'x-other-events': eventsToOthers,
    'x-errors': codes,
  };
}

/** Returns every code of an error that the frame may cause, in the order of the contract. */
export function errorsOf({ errors, beforeAuthentication }: FrameDescription): FrameErrorCode[] {
  const codes: readonly FrameErrorCode[] = [...commonErrors, ...errors];
  return frameErrorCode.options.filter(
    (code) => codes.includes(code) && !(beforeAuthentication === true && code === 'unauthenticated'),
  );
}

type ServerFrame = Frame<ServerFrameType> & { origins: readonly ClientFrameType[] };

/**
 * Describes a frame that the service sends, as a Message Object of AsyncAPI.
 *
 * @param position the fields that a durable frame has beside its payload on a connection with `sync`
 */
function serverMessageObject({ type, origins, ...frame }: ServerFrame, position: JsonSchema) {
  const { summary, recipients, unsequenced, example } = serverFrameDescriptions[type];
  const cause = origins.length > 0 ? ` Caused by ${listed(origins)}.` : '';
  return {
    name: type,
    title: type,
    summary,
    description: [`Sent to ${recipients}.${cause}`, ...(isDurable(type) ? [durability(unsequenced)] : [])].join('\n\n'),
    payload: envelope({ type, ...frame }, refFromServer, isDurable(type) ? position : {}),
    ...(example === undefined ? {} : { examples: [{ payload: { type, payload: example } }] }),
    'x-recipients': recipients,
    'x-origins': origins,
  };
}

/** Returns the client frames that may cause a frame of the service. */
function originsOf(type: ServerFrameType, frames: Frames): ClientFrameType[] {
  return keysOf(frames).filter((origin) =>
    [...frames[origin].replies, ...frames[origin].eventsToOthers].includes(type),
  );
}

const refFromClient =
  'Chosen by the client; the replies to this frame carry it. A number beyond ±(2^53 - 1) would come back changed and is rejected with `invalid-frame`. A longer text, or another value, is ignored.';

const refFromServer = 'The `ref` of the frame that this is the reply to, on the same connection.';

function durability(unsequenced: string | undefined): string {
  const exception = unsequenced === undefined ? '' : `, except ${unsequenced}`;
  return `Durable: connections with the capability \`sync\` receive \`stream\`, \`seq\` and \`cursor\` beside \`type\`${exception}.`;
}

function propertiesOf({ properties }: JsonSchema): JsonSchema {
  return z.record(z.string(), z.unknown()).parse(properties);
}

/** Returns the JSON schema of a whole frame. @param others further fields, all of them optional */
function envelope({ type, payload, ref }: Frame<string>, refDescription: string, others: JsonSchema = {}) {
  // A client may leave out a payload without required fields.
  const mustHavePayload = payload['type'] !== 'object' || payload['required'] !== undefined;
  return {
    type: 'object',
    required: mustHavePayload ? ['type', 'payload'] : ['type'],
    properties: {
      type: { type: 'string', const: type },
      payload,
      ref: { ...ref, description: refDescription },
      ...others,
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
    description:
      'The cookie that log-in sets; accepted only if the Origin is one of those configured, or that of the service.',
  },
};

const security = Object.keys(securitySchemes).map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));

/**
 * AsyncAPI cannot express optional security: an entry of `security` is a scheme, and without entries no scheme would be
 * accepted.
 */
const securityIsOptional =
  'Credentials are not required to connect: a connection without any sends a token in `authenticate`.';

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

/** Returns the text that introduces the document. */
function connecting({ frameBytes }: ChatLimits): string {
  return `Connect to \`/ws\` or \`/\` at the address of the REST API. Every frame, either way, is a JSON object
\`{"type": …, "payload": {…}}\` of at most ${frameBytes} bytes from a client. A client may put \`ref\` (a text of at
most 128 characters, or a number from -(2^53 - 1) to 2^53 - 1) beside \`type\`; the
replies to that frame, on the same connection, carry it.

A connection must authenticate in time (${authenticationDeadlineDefaultSeconds} s unless configured otherwise) with \`authenticate\` and one of: \`payload.token\`
(an access token or ws_token, with an optional \`username\` that must be its account), the Authorization header, the cookie
or \`?token=\` of the upgrade request. An account may have many connections, which all receive its events. One minute
before the authentication expires, the service sends \`reauthentication-required\`. \`GET /users/refresh-token\` extends all
connections of the session, and \`authenticate\`, which may be empty then, extends one.

An account that fetches a channel over REST (\`GET /messages/conversation\` or \`/messages/chats\`) follows it: all its
connections receive the channel's events, without membership, until \`leave-conversation\`. An account follows at most 50
channels; following another one ends the oldest.

The extensions that a client requests with \`capabilities\` in \`authenticate\` (sequence numbers, cursors, resuming,
\`client_id\`, receipts, typing, presence, edits, replies and reactions) are described on the [page for client authors](../chat-clients.md),
\`docs/chat-clients.md\` of the repository. They do not affect other clients.

A rejected frame gets the reply \`error\`. It has changed nothing, except perhaps after \`unavailable\`.

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
