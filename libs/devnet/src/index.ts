export { authorityOf } from './authority';
export { Devnet, type DevnetOptions } from './devnet';
export { seedAccounts } from './genesis';
export { devnetKeys, secretOf } from './keys';
export { recentGenesisTime } from './live-blocks';
export { signByHiveJs } from './sign-by-hive-js';
export { type SoftwareName } from './software';
export { recoveryOffset, signDigest } from './signing';
export { includeReply, includeSampleContent, sampleContentBlocks } from './sample-content';
