import { type z } from 'zod';
import { bearer, jsonOf, type ChatUser } from './chat-client';
import { type ChatInstance } from './chat-under-test';

/** A page of a list. */
export interface Page<Body> {
  body: Body;
  /** Size of the JSON. */
  bytes: number;
}

/** Every page of a list, from the first to the last, as the `Link` headers lead to them. */
export async function pagesOf<Schema extends z.ZodType>(
  chat: ChatInstance,
  user: ChatUser,
  path: string,
  schema: Schema,
): Promise<Page<z.infer<Schema>>[]> {
  const pages: Page<z.infer<Schema>>[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const response = await chat.get(next, bearer(user.session.token));
    const { byteLength: bytes } = await response.clone().arrayBuffer();
    pages.push({ body: await jsonOf(response, schema), bytes });
    next = nextOf(response);
    if (pages.length > 1_000) throw new Error(`${path} has no end`);
  }
  return pages;
}

/** The URL of the next page. */
export function nextOf(response: Response): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
}
