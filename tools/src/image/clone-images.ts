import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cloneFolder } from '../local-stack/clone';
import { parseDockerfile } from './dockerfile';
import { readIgnoredFiles } from './ignored-files';
import { ImageBuilder } from './image-builder';

export interface CloneImageOptions {
  /** Where the stages are laid out. */
  folder: string;
  /** Takes what is built in the clone already, instead of installing and building anew: the short form. */
  isPrebuilt?: boolean;
  onStep?: (step: string) => void;
}

/** The images of this clone, by docker/Dockerfile and .dockerignore. */
export function imagesOfClone({ folder, isPrebuilt = false, onStep }: CloneImageOptions): ImageBuilder {
  const read = (name: string) => readFileSync(path.join(cloneFolder, name), 'utf8');
  return new ImageBuilder(parseDockerfile(read('docker/Dockerfile')), {
    folder,
    context: { folder: cloneFolder, has: readIgnoredFiles(read('.dockerignore')), isFinished: false },
    ready: isPrebuilt ? new Map([['build', cloneAsStage(folder)]]) : new Map(),
    ...(onStep === undefined ? {} : { onStep }),
  });
}

/** A folder in which the clone lies where the Dockerfile lays the repository out. */
function cloneAsStage(folder: string): string {
  const stage = path.join(folder, 'prebuilt');
  mkdirSync(stage);
  symlinkSync(cloneFolder, path.join(stage, 'waggle'));
  return stage;
}
