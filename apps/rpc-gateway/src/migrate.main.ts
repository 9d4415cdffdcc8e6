import { runMigrate } from '@waggle/service';
import { migrate } from './database';

runMigrate(migrate);
