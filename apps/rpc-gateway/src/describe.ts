import { runDescribe } from '@waggle/service/api-description';
import { descriptions } from './api-description/descriptions';

runDescribe(descriptions);
