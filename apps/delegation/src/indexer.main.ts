import { runIndexer } from '@waggle/service/chain';
import { readIndexerConfig } from './config';
import { createDelegationIndexer } from './indexer.app';
import { indexerProbes } from './indexer/node-probes';

runIndexer('delegation', readIndexerConfig, createDelegationIndexer, indexerProbes);
