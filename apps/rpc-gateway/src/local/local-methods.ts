import { discover } from '../api-description/discover';
import { declarations } from './declarations';
import { type LocalMethod } from './local-method';
import { retiredMethods } from './retired-methods';
import { type Sources } from './sources';

const all = [...declarations, discover, ...retiredMethods];

/** `<namespace>.<query>` of each. */
export const localMethodNames: readonly string[] = all.map(({ name }) => name);

/** The methods that the gateway implements itself. */
export class LocalMethods {
  private readonly methods: ReadonlyMap<string, LocalMethod>;

  constructor(sources: Sources) {
    this.methods = new Map(
      all.map(({ name, handle }) => [
        name,
        { name, call: (params: unknown, isViaCall = false) => handle(params, isViaCall, sources) },
      ]),
    );
  }

  /** @param name `<namespace>.<query>` */
  find(name: string): LocalMethod | undefined {
    return this.methods.get(name);
  }
}
