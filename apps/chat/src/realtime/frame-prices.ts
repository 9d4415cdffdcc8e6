/**
 * Prices of frames by their effect, in plain frames. The `*.frames.ts` of a feature declares which of them each frame
 * has.
 */
export const framePrices = {
  plain: 1,
  /** A transaction of its own, which locks what it changes; it may also call a Hive node. */
  change: 10,
  /** Creates up to 250 members, who all list the conversation from then on. */
  creation: 50,
};

export type FramePrice = keyof typeof framePrices;
export const priceOfChange = framePrices.change;

/**
 * A frame costs one more for each of this many bytes. What is delivered because of it is no longer than the frame
 * itself, apart from fields of a fixed length: JSON escapes nothing to more bytes than the sender needed for it.
 */
const frameBytesPerPrice = 1_024;

export function priceOfFrame(price: FramePrice, bytes: number): number {
  return framePrices[price] + Math.floor(bytes / frameBytesPerPrice);
}

/**
 * Price of a resume, in addition to the frame that requests it: a query finds up to some thousand missed entries. These
 * are charged page by page when they are delivered.
 */
export const resumePrice = 20;

/**
 * A page of entries costs one, and one more for each of this many bytes that are written: an account that sends nothing
 * else gets 500 x 8 KiB (4 MB) of what it missed at once, and then 800 KiB/s.
 */
const pageBytesPerPrice = 8 * 1_024;

/**
 * A page is read only when the account can afford frames of this price, so that its other connections can send
 * meanwhile. It costs more than a creation and a page together: a page of 64 KiB of text, which JSON may
 * double, counts as 17.
 */
export const affordableBeforePage = framePrices.creation + 20;

export function priceOfPage(bytes: number): number {
  return 1 + Math.floor(bytes / pageBytesPerPrice);
}

/** What is read for a connection, such as the subscriptions of its account, costs one for each of this many. */
const readsPerPrice = 20;

export function priceOfReads(count: number): number {
  return Math.floor(count / readsPerPrice);
}
