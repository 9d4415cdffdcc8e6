import { type ServiceName } from '../target/services';
import { attackerAddresses } from '../traffic/addresses';
import { heldResponsesJob, holdResponses } from '../traffic/hold-responses';
import { type Size } from '../target/size';
import { type Target } from '../target/target';
import { hasCounted, type LoadAttack, loadAttack } from './attack';
import { longChatRequest, longGatewayRequest } from './long-requests';

interface Readers {
  name: string;
  service: ServiceName;
  /** A request with a long response. */
  text: (target: Target, size: Size) => string | Promise<string>;
}

function slowReadersOf({ name, service, text }: Readers): LoadAttack {
  return loadAttack({
    name,
    summary: `60 readers of long responses of ${service}, each of one byte in ten seconds`,
    services: [service],
    job: heldResponsesJob,
    isLimited: hasCounted('status 429'),
    prepare: async (target, size) => ({
      url: target.service(service).url,
      texts: [await text(target, size)],
      addresses: attackerAddresses(14, 1),
      burst: 60,
      perSecond: 2,
      maxOpen: 100,
      reading: { bytes: 1, everyMs: 10_000 },
    }),
    run: holdResponses,
  });
}

/** Separate attacks, because each service is deployed on its own. */
export const slowReaders: readonly LoadAttack[] = [
  slowReadersOf({ name: 'extra-1-chat', service: 'chat', text: longChatRequest }),
  slowReadersOf({ name: 'extra-1-gateway', service: 'rpc-gateway', text: (target) => longGatewayRequest(target) }),
];
