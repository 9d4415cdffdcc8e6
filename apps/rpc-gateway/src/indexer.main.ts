import { runIndexer } from '@waggle/service/chain';
import { readIndexerConfig } from './config';
import { createGatewayIndexer } from './indexer.app';

runIndexer('rpc-gateway', readIndexerConfig, createGatewayIndexer);
