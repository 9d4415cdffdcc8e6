import { clientFrames } from '@waggle/contracts';
import * as fc from 'fast-check';
import { hostileText, hostileValue } from './hostile-values';
import { fieldsOf, type Field, type Names } from './schema-values';

/** What is sent as one frame. */
export interface HostileFrame {
  data: string | Uint8Array;
  /** Whether the connection may be closed: the frame is too large, or its proof invalid. */
  mayEnd: boolean;
}

/** The maximum size of a frame according to the contract. */
const maxFrameBytes = 64 * 1024;

/** Frames of every type of the contract, valid and invalid in every way, and data that is not a frame. */
export function hostileFrames(names: Names): fc.Arbitrary<HostileFrame> {
  const types = Object.entries(clientFrames());
  const payload = (fields: Field[]) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.record(Object.fromEntries(fields)) },
      { weight: 4, arbitrary: brokenObject(fields) },
      { weight: 1, arbitrary: hostileValue },
    );
  const ofContract = fc.oneof(
    ...types.map(([type, schema]) =>
      payload(fieldsOf(schema, names)).map((value) => JSON.stringify({ type, payload: value, ref: type })),
    ),
  );
  const odd = fc
    .record({ type: hostileValue, payload: hostileValue, ref: hostileValue, extra: hostileValue }, { requiredKeys: [] })
    .map((frame) => JSON.stringify(frame));
  const text = fc.oneof(
    { weight: 12, arbitrary: ofContract },
    { weight: 3, arbitrary: odd },
    {
      weight: 2,
      arbitrary: fc.tuple(ofContract, fc.nat()).map(([frame, at]) => frame.slice(0, at % (frame.length + 1))),
    },
    { weight: 2, arbitrary: fc.tuple(ofContract, fc.nat(), hostileText).map(spoilt) },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(...notJson) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maxFrameBytes + 1)) },
  );
  return fc.oneof(
    { weight: 20, arbitrary: text.map((data) => ({ data, mayEnd: mayEnd(data) })) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((data) => ({ data, mayEnd: false })) },
  );
}

const notJson = [
  '{"type":"acknowledgment","payload":{"conversation_id":"01J"},}',
  "{'type':'acknowledgment','payload':{}}",
  '\ufeff{"type":"acknowledgment","payload":{}}',
  '{"type":"acknowledgment","type":"authenticate","payload":{},"payload":{}}',
  '{"type":"acknowledgment","payload":NaN}',
  '[{"type":"acknowledgment","payload":{}}]',
  '{"type":"acknowledgment","payload":{}}{"type":"acknowledgment","payload":{}}',
  '{"__proto__":{"type":"acknowledgment"},"payload":{}}',
  `{"type":"acknowledgment","payload":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  `{"type":"acknowledgment","ref":${'9'.repeat(400)},"payload":{}}`,
];

/** An object with one or more of its fields missing, of another kind, or with more than there should be. */
export function brokenObject(fields: Field[]): fc.Arbitrary<Record<string, unknown>> {
  const whole = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const bad = fc.dictionary(
    fields.length === 0 ? hostileText : fc.oneof(fc.constantFrom(...fields.map(([name]) => name)), hostileText),
    hostileValue,
    { maxKeys: 3 },
  );
  return fc.tuple(whole, bad).map(([right, wrong]) => ({ ...right, ...wrong }));
}

function spoilt([frame, at, text]: [string, number, string]): string {
  const position = at % (frame.length + 1);
  return frame.slice(0, position) + text + frame.slice(position);
}

function mayEnd(text: string): boolean {
  return Buffer.byteLength(text) > maxFrameBytes || text.includes('authenticate');
}
