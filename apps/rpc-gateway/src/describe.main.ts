import { runDescribe } from '@waggle/service/api-description';
import { generateDescriptions } from './generate-descriptions';

runDescribe(generateDescriptions);
