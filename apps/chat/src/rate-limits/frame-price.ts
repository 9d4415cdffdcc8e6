import { type ClientFrameType } from '@waggle/contracts';

/** A change is a transaction of its own, which locks what it changes; it may also ask a Hive node. */
export const priceOfChange = 10;
/** Makes up to 250 members, each of whom will list it ever after. */
const creation = 50;

/** For `resume`, beside the frame that it comes in: looks up where up to some thousand entries are. Those are charged page by page. */
export const resumePrice = 20;

/**
 * A page of entries costs one, and one more for so many bytes that are written of it: an account that sends nothing else gets
 * 500 x 8 KiB (4 MB) of what it missed at once, and then 800 KiB/s.
 */
const pageBytesPerPrice = 8 * 1_024;

/**
 * The next page is read when the account can afford frames of this price, so that its other connections go on sending meanwhile. It
 * is more than the dearest change and the dearest page together: a page of 64 KiB of text, which JSON may double, counts as 17.
 */
export const pageReserve = creation + 20;

export function priceOfPage(bytes: number): number {
  return 1 + Math.floor(bytes / pageBytesPerPrice);
}

/** How many plain frames a frame counts for, where not for one: what an account may do is limited by what it costs. */
const prices: Partial<Record<string, number>> = {
  'create-conversation': creation,
  'rename-conversation': priceOfChange,
  'leave-conversation': priceOfChange,
  'delete-message': priceOfChange,
  'add-member': priceOfChange,
  'remove-member': priceOfChange,
  'add-moderator': priceOfChange,
  'remove-moderator': priceOfChange,
  'request-friendship': priceOfChange,
  'accept-friendship': priceOfChange,
  'reject-friendship': priceOfChange,
  'remove-friendship': priceOfChange,
  'block-user': priceOfChange,
  'unblock-user': priceOfChange,
} satisfies Partial<Record<ClientFrameType, number>>;

/**
 * A frame costs one more for every so many bytes. What is delivered because of it is no longer than the frame itself, apart from
 * fields of a fixed length: JSON escapes nothing to more bytes than the sender needed for it.
 */
const pricedBytes = 1_024;

/**
 * @param type undefined where the frame has none that can be read
 * @param bytes the length of the frame as it was received
 */
export function priceOf(type: string | undefined, bytes: number): number {
  const price = Object.hasOwn(prices, type ?? '') ? prices[type ?? ''] : undefined;
  return (price ?? 1) + Math.floor(bytes / pricedBytes);
}
