import { z } from 'zod';
import { maxAttachments, maxAttachmentName, maxAttachmentUrl } from './limits';
import { writtenName } from './written-name';
import { tooLarge } from './written-text';

const sidePixels = z.int().min(1).max(65_535).optional();

/**
 * What an attachment says of its file besides the URL and the name. The service cannot check it. The fields have the
 * order of `jsonb` (by length of the name), so that a live attachment is the same JSON as a stored one.
 */
const fileFields = {
  bytes: z.int().min(1).meta({ description: 'Size of the file' }),
  width: sidePixels.meta({ description: 'In pixels. Images have it' }),
  height: sidePixels.meta({ description: 'In pixels. Images have it' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'not a hash in hex')
    .optional()
    .meta({ description: 'Of the file, in hex' }),
  blurhash: z
    .string()
    .regex(/^[\w#$%*+,.:;=?@[\]^{|}~-]{6,128}$/, 'not a BlurHash')
    .optional()
    .meta({ description: 'BlurHash of an image, to show before it is loaded' }),
  media_type: z
    .string()
    .regex(/^[a-z0-9][\w!#$&^.+-]{0,63}\/[a-z0-9][\w!#$&^.+-]{0,63}$/, 'not a media type in lower case')
    .meta({ description: 'Media type, such as `image/png`' }),
};

/** A file that a message refers to. */
export const attachment = z
  .object({
    url: z.string().meta({ description: 'HTTPS URL on a host that the operator allowed when the message was sent' }),
    name: z.string().meta({ description: 'Name of the file; describes an image' }),
    ...fileFields,
  })
  .meta({
    id: 'Attachment',
    description:
      'A file that a message refers to. The service has not fetched it: nothing here is checked but its form',
    examples: [
      {
        url: 'https://images.hive.blog/DQmZi174Xz96UrRVBMNRHb6A2FfU3z1HRPwPPQCgSMgdiUT/bees.jpg',
        name: 'bees.jpg',
        media_type: 'image/jpeg',
        bytes: 183_042,
        width: 1_600,
        height: 1_200,
      },
    ],
  });
export type Attachment = z.infer<typeof attachment>;

/** A URL that every parser reads alike: HTTPS, without credentials, as the WHATWG standard serializes it. */
const fileUrl = z
  .string()
  .refine((text) => text.length <= maxAttachmentUrl, {
    message: `must have at most ${maxAttachmentUrl} characters`,
    params: tooLarge,
    abort: true,
  })
  .refine(isFileUrl, 'must be an https URL in its normal form, without credentials');

function isFileUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, protocol, username, password } = new URL(text);
  return href === text && protocol === 'https:' && username === '' && password === '';
}

/** The attachments of a new message. Their hosts are checked by the service. */
export const newAttachments = z.compile(
  z.object({
    attachments: z
      .array(
        z
          .object({ url: fileUrl, name: writtenName(maxAttachmentName), ...fileFields })
          .refine(
            ({ media_type, width, height }) =>
              !media_type.startsWith('image/') || (width !== undefined && height !== undefined),
            { path: ['width'], message: 'an image must have width and height' },
          ),
      )
      .refine((list) => list.length <= maxAttachments, {
        message: `must be at most ${maxAttachments}`,
        params: tooLarge,
      }),
  }),
);
