import { assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { type Needs } from '../../index-state/needs';
import { type CursorSource } from '../../notifications/notification-id';
import { type Sources } from './sources';

type ParameterSchemas = Readonly<Record<string, z.ZodType>>;

/** A method as its file declares it. Its parameters are in the order of positional calls. */
interface MethodDefinition<Shape extends ParameterSchemas> {
  /** `<namespace>.<query>` */
  readonly name: string;
  /** Describes the result in a sentence. */
  readonly summary: string;
  /** Number of required parameters, from the first on. */
  readonly required: number;
  readonly parameters: Shape;
  /**
   * A parameter to check before the others, since clients depend on the order of errors; absent if they are checked in
   * order.
   */
  readonly checkedFirst?: string;
  /** The schema of the result in the API description; tests check every result against it. */
  readonly result: z.ZodType;
  readonly example: { readonly params: Readonly<Record<string, unknown>>; readonly result: unknown };
  /** What the index must contain for the result to be correct; nothing for constants and data of nodes. */
  readonly needs: Needs;
  /**
   * Returns the source of the cursor among the parameters. Declare it only if the index cannot continue from a cursor
   * of the nodes, or the nodes from one of the index.
   */
  readonly cursorSource?: (params: z.output<z.ZodObject<Shape>>) => CursorSource | undefined;
  readonly handle: (params: z.output<z.ZodObject<Shape>>, sources: Sources) => Promise<unknown>;
}

/** A method as the gateway calls it. */
export interface Declaration extends Pick<
  MethodDefinition<ParameterSchemas>,
  'name' | 'summary' | 'result' | 'example' | 'needs'
> {
  /** In the order of positions. */
  readonly parameters: readonly DeclaredParameter[];
  /**
   * Checks the parameters.
   *
   * @param params an object, an array, or undefined
   * @param isViaCall whether the client used the method `call`: the error for a wrong number of parameters then differs
   * @throws RpcError
   */
  readonly prepare: (params: object | undefined, isViaCall: boolean, sources: Sources) => PreparedCall;
}

/** A call whose parameters are valid. */
export interface PreparedCall {
  /** The source that can continue from the cursor of the call; undefined without a cursor, or if any source can. */
  readonly cursorSource: CursorSource | undefined;
  /** Executes the call. @returns a value for `JSON.stringify`, or a `JsonText`. @throws RpcError */
  readonly run: () => Promise<unknown>;
}

export interface DeclaredParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** JSON Schema of the allowed values. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export function method<Shape extends ParameterSchemas>(definition: MethodDefinition<Shape>): Declaration {
  const { name, summary, checkedFirst, result, example, needs, cursorSource, handle } = definition;
  const names = Object.keys(definition.parameters);
  const required = names.slice(0, definition.required);
  const shape = z.object(definition.parameters);
  const parameters: ParameterSchemas = definition.parameters;
  return {
    name,
    summary,
    result,
    example,
    needs,
    parameters: Object.entries(shape.shape).map(([each, schema]) => ({
      name: each,
      isRequired: required.includes(each),
      schema: z.globalRegistry.get(schema) ?? {},
    })),
    prepare: (params, isViaCall, sources) => {
      const given = byName(params, names, isViaCall ? required.length : undefined);
      requireKnownNames(given, names, required);
      if (checkedFirst !== undefined) parameters[checkedFirst]?.parse(given.get(checkedFirst) ?? undefined);
      const parsed = shape.parse(Object.fromEntries(names.map((each) => [each, given.get(each) ?? undefined])));
      return { cursorSource: cursorSource?.(parsed), run: () => handle(parsed, sources) };
    },
  };
}

/** Declares a method with several names. */
export function methods<Shape extends ParameterSchemas>({
  names,
  ...definition
}: Omit<MethodDefinition<Shape>, 'name'> & { readonly names: readonly string[] }): readonly Declaration[] {
  return names.map((name) => method({ name, ...definition }));
}

/** @param expected the minimum number of positional parameters of a method called by `call` */
function byName(
  params: object | undefined,
  names: readonly string[],
  expected: number | undefined,
): ReadonlyMap<string, unknown> {
  const values = Array.isArray(params) && params.length === 1 && isNamed(params[0]) ? params[0] : (params ?? {});
  if (!Array.isArray(values)) return new Map(Object.entries(values));
  const isWrongCount = values.length < (expected ?? 0) || values.length > names.length;
  if (isWrongCount && expected !== undefined) throw assertionFailed(`expected ${expected} params`);
  if (isWrongCount) throw assertionFailed('too many positional arguments');
  return new Map(values.map((value: unknown, index) => [names[index] ?? '', value]));
}

function requireKnownNames(
  given: ReadonlyMap<string, unknown>,
  names: readonly string[],
  required: readonly string[],
): void {
  const missing = required.find((name) => (given.get(name) ?? undefined) === undefined);
  if (missing !== undefined) throw assertionFailed(`missing a required argument: '${missing}'`);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw assertionFailed(`got an unexpected keyword argument '${unknown.slice(0, 100)}'`);
}

function isNamed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
