import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { fillOnceSync } from '../packages/fill-once';
import { installLocked } from '../packages/npm-package';
import { runtimeFolder } from '../processes/runtime-folder';
import { type BrowserProgram } from './chromium';

/** A separate package.json with a lock file, against which the downloads are verified. */
const source = path.resolve(__dirname, '../../chromium');

/** Archives of the package: NSS libraries, a font, and a software renderer. */
const archives = ['al2023', 'fonts', 'swiftshader'];

const otherFonts = [
  '@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf',
  '@expo-google-fonts/noto-color-emoji/400Regular/NotoColorEmoji_400Regular.ttf',
];

/**
 * Downloads Chromium for Linux on x64 and fonts as npm packages and unpacks them into the runtime folder, once. Its
 * libraries are in the package, so pages look the same on every machine.
 *
 * @throws Error if the registry does not respond or has other contents than expected
 */
export function fetchChromium(): BrowserProgram {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the package is for Linux on x64');
  const packages = createHash('sha256').update(readFileSync(path.join(source, 'package-lock.json')));
  const fetched = path.join(runtimeFolder(), `chromium-${packages.digest('hex').slice(0, 12)}`);
  fillOnceSync(fetched, (copy) => {
    const installed = path.join(copy, 'package');
    installLocked(source, installed, process.env);
    const fileOf = (name: string) => path.join(installed, 'node_modules', name);
    const packed = (name: string) => brotliDecompressSync(readFileSync(fileOf(`@sparticuz/chromium/bin/${name}`)));
    writeFileSync(path.join(copy, 'chromium'), packed('chromium.br'), { mode: 0o755 });
    for (const name of archives)
      execFileSync('tar', ['-xf', '-', '-C', copy, '--no-same-owner'], { input: packed(`${name}.tar.br`) });
    for (const font of otherFonts) copyFileSync(fileOf(font), path.join(copy, 'fonts', path.basename(font)));
    writeFileSync(path.join(copy, 'fonts.conf'), fontsIn(fetched));
    rmSync(installed, { recursive: true });
  });
  return {
    executablePath: path.join(fetched, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(fetched, 'lib'), FONTCONFIG_FILE: path.join(fetched, 'fonts.conf') },
  };
}

/** Fontconfig's settings with the packaged fonts only: Cousine for `monospace`, otherwise Open Sans. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <alias><family>monospace</family><prefer><family>Cousine</family></prefer></alias>
  <match>
    <edit name="family" mode="append_last"><string>Open Sans</string></edit>
  </match>
</fontconfig>
`;
}
