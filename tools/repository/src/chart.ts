import path from 'node:path';
import { repositoryFolder } from '@waggle/running';
import { buildChart } from './chart/build-chart';

const folder = path.join(repositoryFolder, 'k8s/dist/waggle');
buildChart(repositoryFolder, folder);
console.log(`The chart is in ${path.relative(process.cwd(), folder)}.`);
