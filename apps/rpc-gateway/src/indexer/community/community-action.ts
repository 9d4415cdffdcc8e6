import { type CommunityCall } from './community-call';

/** Something that may be done in a community; one in a file. */
export interface CommunityAction {
  /** As operations name it. */
  readonly name: string;
  /** What its payload has besides `community`: all of these, and nothing else. */
  readonly keys: readonly string[];
  /** @throws Refusal where it is not allowed or cannot be done; nothing is then changed */
  readonly act: (call: CommunityCall) => void;
}
