import { type Overlay } from '@waggle/testing';
import { z } from 'zod';

const names = z.record(z.string(), z.string());
const spec = z.object({
  groups: z.array(
    z.looseObject({
      rules: z.array(z.looseObject({ alert: z.string(), expr: z.string(), labels: names, annotations: names })),
    }),
  ),
});

export type RuleSpec = z.infer<typeof spec>;

/** Returns the alerts that an overlay deploys for a service. */
export function rulesOf(overlay: Overlay, service: string): RuleSpec {
  return spec.parse(overlay.get('PrometheusRule', service)['spec']);
}
