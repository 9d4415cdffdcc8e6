import { type Declaration } from './declaration/declaration';
import { declarations } from './declarations';
import { localPaths } from './paths/local-paths';
import { retiredMethods } from './methods/retired-methods';
import { discover } from './open-rpc';

type LocalMethod = Pick<Declaration, 'name' | 'needs' | 'prepare'>;

const all: readonly LocalMethod[] = [...declarations, discover, ...retiredMethods, ...localPaths];

/** The methods and paths that the gateway implements itself, by `<namespace>.<query>` or by the pattern of the path. */
export const localMethods: ReadonlyMap<string, LocalMethod> = new Map(all.map((each) => [each.name, each]));

/** The key of each. */
export const localMethodNames: readonly string[] = [...localMethods.keys()];
