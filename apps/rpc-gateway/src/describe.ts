import { runDescribe } from '@waggle/service';
import { descriptions } from './api-description/descriptions';

runDescribe(descriptions);
