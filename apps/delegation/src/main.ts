import { runService } from '@waggle/service';
import { createDelegation } from './app';
import { readApiConfig } from './config';

/** The API: responds from the database, and never calls a node. */
runService('delegation', { readConfig: readApiConfig, create: createDelegation });
