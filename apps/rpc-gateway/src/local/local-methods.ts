import { discover } from '../api-description/discover';
import { type Declaration } from './declaration';
import { declarations } from './declarations';
import { type Needs } from '../index-state/needs';
import { type LocalMethod } from './local-method';
import { retiredMethods } from './retired-methods';
import { type Sources } from './sources';

const all: readonly Pick<Declaration, 'name' | 'needs' | 'prepare'>[] = [...declarations, discover, ...retiredMethods];

/** `<namespace>.<query>` of each. */
export const localMethodNames: readonly string[] = all.map(({ name }) => name);

/** What each local method needs of the index. */
export const localMethodNeeds: ReadonlyMap<string, Needs> = new Map(all.map(({ name, needs }) => [name, needs]));

/** The methods that the gateway implements itself. */
export class LocalMethods {
  private readonly methods: ReadonlyMap<string, LocalMethod>;

  constructor(sources: Sources) {
    this.methods = new Map(
      all.map(({ name, needs, prepare }) => [
        name,
        { name, needs, prepare: (params: unknown, isViaCall = false) => prepare(params, isViaCall, sources) },
      ]),
    );
  }

  /** @param name `<namespace>.<query>` */
  find(name: string): LocalMethod | undefined {
    return this.methods.get(name);
  }
}
