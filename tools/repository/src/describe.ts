import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryFolder } from '@waggle/running';
import { importsPage } from './imports/page';

const page = importsPage(repositoryFolder, readdirSync(path.join(repositoryFolder, 'apps')));
writeFileSync(path.join(repositoryFolder, 'docs/imports.md'), page);
