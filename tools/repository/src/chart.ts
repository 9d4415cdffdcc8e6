import path from 'node:path';
import { repositoryFolder } from '@waggle/running';
import { buildChart } from './chart/build-chart';

const folder = path.join(repositoryFolder, 'k8s/dist/waggle');
// In a workflow of GitHub.
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_REF_NAME: tag } = process.env;
const isWorkflow = repository !== undefined;
buildChart(repositoryFolder, folder, isWorkflow ? `${server}/${repository}/blob/${tag}` : undefined);
console.log(`The chart is in ${path.relative(process.cwd(), folder)}.`);
