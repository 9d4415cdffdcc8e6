import { runIndexer } from '@waggle/service/chain';
import { readIndexerConfig } from './config';
import { createDelegationIndexer } from './indexer.app';

runIndexer('delegation', readIndexerConfig, createDelegationIndexer);
