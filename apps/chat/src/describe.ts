import { runDescribe } from '@waggle/service';
import { previewDescriptions } from './api-description/preview';

runDescribe(previewDescriptions);
