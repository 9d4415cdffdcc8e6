import { type CommunityActionContext } from './community-action-context';

/** An action in a community, such as muting a post; each has its own file. */
export interface CommunityAction {
  /** The name in operations. */
  readonly name: string;
  /** The keys that its payload must have besides `community`; no others are allowed. */
  readonly keys: readonly string[];
  /** @throws CommunityActionError if it is not allowed or not possible, before it changes anything */
  readonly apply: (context: CommunityActionContext) => void;
}
