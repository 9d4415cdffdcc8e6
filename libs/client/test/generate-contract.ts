import * as contracts from '@waggle/contracts';
import { z } from 'zod';

/** The resources of the REST interface, by the names of their types. One that contains another follows it. */
const resources = {
  Attachment: contracts.attachment,
  Quote: contracts.quote,
  Mention: contracts.mention,
  ReactionCount: contracts.reactionCount,
  Reaction: contracts.reaction,
  Message: contracts.message,
  RichMessage: contracts.richMessage,
  MessageRevision: contracts.messageRevision,
  Pin: contracts.pin,
  MentioningMessage: contracts.mentioningMessage,
  UnreadCounts: contracts.unreadCounts,
  Receipt: contracts.receipt,
  Draft: contracts.draft,
  MessageWithSeq: contracts.messageWithSeq,
  UnreadMessage: contracts.unreadMessage,
  UnreadMessageWithSeq: contracts.unreadMessageWithSeq,
  SearchHit: contracts.searchHit,
  SearchResults: contracts.searchResults,
  ConversationChange: contracts.conversationChange,
  Conversation: contracts.conversation,
  ExtendedConversation: contracts.extendedConversation,
  FriendRequest: contracts.friendRequest,
  FriendsList: contracts.friendsList,
  Settings: contracts.settings,
  CreatedChannel: contracts.createdChannel,
  AccountExistence: contracts.accountExistence,
  SessionInfo: contracts.sessionInfo,
  Erasure: contracts.erasure,
  LoginSession: contracts.loginSession,
  RenewedSession: contracts.renewedSession,
};

/** The parts of JSON Schema that the schemas of the contract use. */
const jsonSchema = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.string()).optional(),
  required: z.array(z.string()).default([]),
  get properties() {
    return z.record(z.string(), jsonSchema).default({});
  },
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
});
type JsonSchema = z.infer<typeof jsonSchema>;

const guards = [
  'type Guard',
  'isAbsentOr',
  'isBoolean',
  'isEither',
  'isListOf',
  'isNull',
  'isNumber',
  'isShape',
  'isString',
];

/**
 * Returns the source of `src/protocol/contract.ts`: types with doc comments, and guards, of the schemas in
 * `@waggle/contracts`.
 */
export function generateContract(): string {
  const received = schemasOf(z.object({ ...resources, ...contracts.serverFrames }), 'output');
  const sent = schemasOf(z.object(contracts.clientFrames()), 'input');
  const payloads = Object.entries(received.properties).filter(([name]) => !(name in resources));
  return [
    '// Generated from @waggle/contracts by `npx nx run client:generate`.',
    `import { ${guards.join(', ')} } from './guards';`,
    `export const capabilities = ${JSON.stringify(contracts.capability.options)} as const;`,
    'export type Capability = (typeof capabilities)[number];',
    `/** The codes with which the service closes a connection. */
    export const closeCodes = ${JSON.stringify(contracts.closeCodes)} as const;`,
    ...Object.entries(received.definitions).map(([name, schema]) => resource(name, schema)),
    `/** The payload of every frame that the service sends, by the type of the frame. */
    export interface Frames {${fields(payloads, () => true)}}`,
    `export const frameGuards: { readonly [T in keyof Frames]: Guard<Frames[T]> } = {${payloads
      .map(([type, schema]) => `${key(type)}: ${guard(schema)}`)
      .join(',')}};`,
    `/** The payload of every frame that a client may send, by the type of the frame. */
    export interface SentFrames {${fields(Object.entries(sent.properties), () => true)}}`,
  ].join('\n\n');
}

function schemasOf(schema: z.ZodObject, io: 'input' | 'output') {
  const { properties, $defs = {} } = z.toJSONSchema(schema, { io });
  const byName = z.record(z.string(), jsonSchema);
  return { properties: byName.parse(properties), definitions: byName.parse($defs) };
}

function resource(name: string, schema: JsonSchema): string {
  return `${comment(schema)}export interface ${name} ${type(schema)}

    export const is${name} = ${guard(schema, name)};`;
}

/** The alternatives of a schema that is one of several. */
function alternatives({ anyOf, type: types }: JsonSchema): JsonSchema[] | undefined {
  if (types === undefined) return anyOf;
  return Array.isArray(types) ? types.map((each) => jsonSchema.parse({ type: each })) : undefined;
}

function type(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  const several = alternatives(schema);
  if (several !== undefined) return several.map(type).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'object':
      return `{${fields(Object.entries(schema.properties), (name) => schema.required.includes(name))}}`;
    case 'array':
      return schema.items === undefined ? 'unknown[]' : `(${type(schema.items)})[]`;
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function fields(properties: [string, JsonSchema][], isRequired: (name: string) => boolean): string {
  return properties
    .map(([name, schema]) => {
      const value = isRequired(name) ? `: ${type(schema)}` : `?: ${type(schema)} | undefined`;
      return `${comment(schema)}${key(name)}${value};`;
    })
    .join('\n');
}

/** Values of an enumeration are only checked to be strings, since a newer service may know more of them. */
function guard(schema: JsonSchema, name?: string): string {
  if (schema.$ref !== undefined) return `is${nameIn(schema.$ref)}`;
  const several = alternatives(schema)?.map((each) => guard(each));
  if (several !== undefined) return several.reduce((one, other) => `isEither(${one}, ${other})`);
  switch (schema.type) {
    case 'object':
      return `isShape${name === undefined ? '' : `<${name}>`}({${Object.entries(schema.properties)
        .map(([field, value]) => {
          const check = guard(value);
          return `${key(field)}: ${schema.required.includes(field) ? check : `isAbsentOr(${check})`}`;
        })
        .join(',')}})`;
    case 'array':
      return schema.items === undefined ? 'Array.isArray' : `isListOf(${guard(schema.items)})`;
    case 'string':
      return 'isString';
    case 'boolean':
      return 'isBoolean';
    case 'null':
      return 'isNull';
    case 'integer':
    case 'number':
      return 'isNumber';
    default:
      throw new Error(`no guard for ${JSON.stringify(schema)}`);
  }
}

/** Descriptions of kinds of fields, which say nothing that the field's name does not. */
const obvious = [contracts.identifier.description, contracts.accountName.description];

function comment({ description }: JsonSchema): string {
  return description === undefined || obvious.includes(description) ? '' : `/** ${description}. */\n`;
}

const key = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`);
const nameIn = (ref: string) => ref.replace('#/$defs/', '');
