import { runDescribe } from '@waggle/service/api-description';
import { previewDescriptions } from './api-description/preview';

runDescribe(previewDescriptions);
