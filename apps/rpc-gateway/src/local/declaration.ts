import { assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { type Sources } from './sources';

type Parameters = Readonly<Record<string, z.ZodType>>;

/** A method as its file declares it: the order of its parameters is that of positions. */
interface Declared<Shape extends Parameters> {
  /** `<namespace>.<query>` */
  readonly name: string;
  /** What it answers, in a sentence. */
  readonly summary: string;
  /** How many of the parameters, from the first on, must be given. */
  readonly required: number;
  readonly parameters: Shape;
  /** The parameter that is checked before the others, if that is not the first one: clients know which error comes first. */
  readonly checkedFirst?: string;
  /** Of what is answered, for the description of the API; tests hold every answer against it. */
  readonly result: z.ZodType;
  readonly example: { readonly params: Readonly<Record<string, unknown>>; readonly result: unknown };
  readonly answer: (params: z.output<z.ZodObject<Shape>>, sources: Sources) => Promise<unknown>;
}

/** The same with its parameters still to be read. */
export interface Declaration extends Pick<Declared<Parameters>, 'name' | 'summary' | 'result' | 'example'> {
  /** In the order of positions. */
  readonly parameters: readonly DeclaredParameter[];
  /** @throws RpcError */
  readonly answer: (params: unknown, isViaCall: boolean, sources: Sources) => Promise<unknown>;
}

export interface DeclaredParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** JSON Schema of what is allowed. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export function method<Shape extends Parameters>(declared: Declared<Shape>): Declaration {
  const { name, summary, checkedFirst, result, example, answer } = declared;
  const names = Object.keys(declared.parameters);
  const required = names.slice(0, declared.required);
  const shape = z.object(declared.parameters);
  const parameters: Parameters = declared.parameters;
  return {
    name,
    summary,
    result,
    example,
    parameters: Object.entries(shape.shape).map(([each, schema]) => ({
      name: each,
      isRequired: required.includes(each),
      schema: z.globalRegistry.get(schema) ?? {},
    })),
    answer: async (params, isViaCall, sources) => {
      const given = byName(params, names, isViaCall ? required.length : undefined);
      refuseUnfit(given, names, required);
      if (checkedFirst !== undefined) parameters[checkedFirst]?.parse(given.get(checkedFirst) ?? undefined);
      return answer(
        shape.parse(Object.fromEntries(names.map((each) => [each, given.get(each) ?? undefined]))),
        sources,
      );
    },
  };
}

/** One that has several names, which all mean the same. */
export function methods<Shape extends Parameters>({
  names,
  ...declared
}: Omit<Declared<Shape>, 'name'> & { readonly names: readonly string[] }): readonly Declaration[] {
  return names.map((name) => method({ name, ...declared }));
}

/** @param expected how many positions `call` wants at least */
function byName(params: unknown, names: readonly string[], expected: number | undefined): ReadonlyMap<string, unknown> {
  const values: unknown =
    Array.isArray(params) && params.length === 1 && isNamed(params[0]) ? params[0] : (params ?? {});
  if (isNamed(values)) return new Map(Object.entries(values));
  if (!Array.isArray(values)) throw assertionFailed('params are an object or an array');
  const isUnfit = values.length < (expected ?? 0) || values.length > names.length;
  if (isUnfit && expected !== undefined) throw assertionFailed(`expected ${expected} params`);
  if (isUnfit) throw assertionFailed('too many positional arguments');
  return new Map(values.map((value: unknown, index) => [names[index] ?? '', value]));
}

function refuseUnfit(given: ReadonlyMap<string, unknown>, names: readonly string[], required: readonly string[]): void {
  const missing = required.find((name) => (given.get(name) ?? undefined) === undefined);
  if (missing !== undefined) throw assertionFailed(`missing a required argument: '${missing}'`);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw assertionFailed(`got an unexpected keyword argument '${unknown.slice(0, 100)}'`);
}

function isNamed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
