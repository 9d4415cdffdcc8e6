import { discover } from './discover';
import { type Declaration } from './declaration/declaration';
import { declarations } from './declarations';
import { type Needs } from '../index-state/needs';
import { retiredMethods } from './methods/retired-methods';
import { type Sources } from './declaration/sources';

type LocalMethod = Pick<Declaration, 'name' | 'needs' | 'prepare'>;

const all: readonly LocalMethod[] = [...declarations, discover, ...retiredMethods];

/** By `<namespace>.<query>`. */
const byName: ReadonlyMap<string, LocalMethod> = new Map(all.map((each) => [each.name, each]));

/** `<namespace>.<query>` of each. */
export const localMethodNames: readonly string[] = [...byName.keys()];

/** What each local method needs of the index. */
export const localMethodNeeds: ReadonlyMap<string, Needs> = new Map(all.map(({ name, needs }) => [name, needs]));

/** The methods that the gateway implements itself, and what they read from. */
export class LocalMethods {
  constructor(readonly sources: Sources) {}

  /** @param name `<namespace>.<query>` */
  find(name: string): LocalMethod | undefined {
    return byName.get(name);
  }
}
