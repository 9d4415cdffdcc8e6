import { runIndexer } from '@waggle/service/chain';
import { readIndexerConfig } from './config';
import { createGatewayIndexer } from './indexer.app';
import { indexerProbes } from './indexer/node-probes';

runIndexer('rpc-gateway', readIndexerConfig, createGatewayIndexer, indexerProbes);
