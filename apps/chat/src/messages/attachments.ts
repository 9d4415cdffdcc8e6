import { Inject, Injectable } from '@nestjs/common';
import { type Attachment, newAttachments } from '@waggle/contracts';
import { ChatError } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { validatePayload } from '../realtime/frame-router';
import { MESSAGES_SETTINGS, type MessagesSettings } from './messages-settings';

/** Validates the attachments of new messages. */
@Injectable()
export class Attachments {
  constructor(@Inject(MESSAGES_SETTINGS) private readonly settings: MessagesSettings) {}

  /**
   * Returns the attachments of a payload, if the connection has the capability for them; undefined if there are none.
   *
   * @throws ChatError `invalid-frame`; `too-large`; `forbidden` if the operator does not allow the host of one
   */
  of({ attachments }: { attachments?: unknown }, request: FrameRequest): Attachment[] | undefined {
    if (attachments === undefined || attachments === null || !request.connection.has('rich')) return undefined;
    const valid = validatePayload(newAttachments, { attachments }).attachments;
    const { attachmentHosts } = this.settings;
    for (const { url } of valid) {
      const { host } = new URL(url);
      if (!attachmentHosts.includes(host)) throw new ChatError('forbidden', `files on ${host} are not allowed here`);
    }
    return valid.length === 0 ? undefined : valid;
  }
}

/**
 * Returns the text of a message with the URLs of its attachments, one per line: clients without the capability `rich`
 * see nothing else of them, and every message has a text. A text that ends with the URLs is unchanged, so that a client
 * may send back what it received.
 */
export function withUrls(text: string, attachments: readonly Attachment[] | null | undefined): string {
  const urls = (attachments ?? []).map(({ url }) => url).join('\n');
  return urls === '' || text === urls || text.endsWith(`\n${urls}`) ? text : `${text}\n${urls}`;
}
