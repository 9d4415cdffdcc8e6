/** Bytes in JSON of an account in a list: at most 16 characters, quotes, comma. */
export const accountBytes = 19;

/** Bytes in JSON of a message without its text: names of keys, identifiers, accounts, time, numbers. */
export const messageBytes = 220;

/** Bytes in JSON of a conversation without its name, members, moderators and last message. */
export const conversationBytes = 280;

/** SQL for the bytes of a text in JSON, where a control character takes six. */
export function jsonBytes(text: string): string {
  return `octet_length(to_json(${text})::text)`;
}
