import { z } from 'zod';

/** The input of the process that makes a chain. */
export const chainJob = z.object({
  /** What the blocks contain besides operations that no indexer uses. */
  content: z.enum(['delegations', 'social']),
  blocks: z.number(),
  /** Operations in each block that change neither index. */
  otherOperations: z.number(),
  /** How many slow nodes serve the chain besides the fast one, and how long they take for each response. */
  slowNodes: z.number(),
  slowMs: z.number(),
});
export type ChainJob = z.infer<typeof chainJob>;

/** A chain, as the line that its process prints. */
export const chain = z.object({ url: z.string(), slowUrls: z.array(z.string()), lastBlock: z.number() });
export type Chain = z.infer<typeof chain>;

/** Repeats the recorded calls of a node and parses the responses. */
export const fetchJob = z.object({ url: z.string(), lastBlock: z.number() });

export const fetchResult = z.object({ blocks: z.number(), seconds: z.number() });
export type FetchResult = z.infer<typeof fetchResult>;
