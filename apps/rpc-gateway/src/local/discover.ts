import { descriptionText } from '@waggle/service';
import { z } from 'zod';
import { method } from './declaration/declaration';
import { JsonText } from './declaration/json-text';
import { openRpcDocument } from './open-rpc';

let text: JsonText | undefined;

/** The service discovery method of OpenRPC; it is not part of its own result. */
export const discover = method({
  name: 'rpc.discover',
  summary: 'This description',
  required: 0,
  parameters: {},
  result: z.looseObject({ openrpc: z.string() }),
  example: { params: {}, result: { openrpc: '1.3.2' } },
  needs: [],
  handle: () => Promise.resolve((text ??= new JsonText(descriptionText(openRpcDocument())))),
});
