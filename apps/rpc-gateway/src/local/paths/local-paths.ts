import { type Declaration } from '../declaration/declaration';
import { getReputation } from './get-reputation';

/** The paths that are answered here. To add one, declare it, and list it here and under `paths` in `routes.yaml`. */
export const localPaths: readonly Declaration[] = [getReputation];
