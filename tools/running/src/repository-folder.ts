import path from 'node:path';

/** The root of this checkout of the repository. */
export const repositoryFolder = path.resolve(__dirname, '../../..');
