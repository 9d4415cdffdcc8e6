import { runDescribe } from '@waggle/service/api-description';
import { generateDescriptions } from './api-description/generate-descriptions';

runDescribe(generateDescriptions);
