import { z } from 'zod';
import { type Step } from './step';

/** How one kind of operation is understood. */
export interface OperationHandler {
  /** As the appbase APIs name it, without `_operation`. */
  readonly name: string;
  readonly isVirtual: boolean;
  /** @throws Error where the value is not as the chain has it; what cannot be understood is never skipped */
  read(value: unknown): Step | undefined;
}

/** @param definition.step what the operation does; undefined where it does nothing */
export function defineOperation<Schema extends z.ZodType>(definition: {
  readonly name: string;
  readonly isVirtual?: true;
  readonly value: Schema;
  readonly step: (value: z.infer<Schema>) => Step | undefined;
}): OperationHandler {
  const { name, isVirtual = false, value: schema, step } = definition;
  return { name, isVirtual, read: (value) => step(schema.parse(value)) };
}

/** Every character that names on the chain have had; they go into JSON and CSV as they are. */
export const chainAccount = z.string().regex(/^[a-z0-9.-]{1,16}$/);
