import { type Declaration } from './declaration/declaration';
import { declarations } from './declarations';
import { retiredMethods } from './methods/retired-methods';
import { discover } from './open-rpc';

type LocalMethod = Pick<Declaration, 'name' | 'needs' | 'prepare'>;

const all: readonly LocalMethod[] = [...declarations, discover, ...retiredMethods];

/** The methods that the gateway implements itself, by `<namespace>.<query>`. */
export const localMethods: ReadonlyMap<string, LocalMethod> = new Map(all.map((each) => [each.name, each]));

/** `<namespace>.<query>` of each. */
export const localMethodNames: readonly string[] = [...localMethods.keys()];
