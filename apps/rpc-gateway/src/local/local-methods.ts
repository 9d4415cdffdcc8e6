import { discover } from './discover';
import { type Declaration, type PreparedCall } from './declaration/declaration';
import { declarations } from './declarations';
import { type Needs } from '../index-state/needs';
import { retiredMethods } from './methods/retired-methods';
import { type Sources } from './declaration/sources';

const all: readonly Pick<Declaration, 'name' | 'needs' | 'prepare'>[] = [...declarations, discover, ...retiredMethods];

/** `<namespace>.<query>` of each. */
export const localMethodNames: readonly string[] = all.map(({ name }) => name);

/** What each local method needs of the index. */
export const localMethodNeeds: ReadonlyMap<string, Needs> = new Map(all.map(({ name, needs }) => [name, needs]));

/** A method that the gateway implements itself. */
export interface LocalMethod {
  /** `<namespace>.<query>` */
  readonly name: string;
  readonly needs: Needs;
  /**
   * Checks the parameters.
   *
   * @param params an object, an array, or undefined
   * @param isViaCall whether the client used the method `call`: the error for a wrong number of parameters then differs
   * @throws RpcError
   */
  prepare(params: unknown, isViaCall?: boolean): PreparedCall;
}

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
