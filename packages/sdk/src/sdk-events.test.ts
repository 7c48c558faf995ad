import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { EventType } from '@salus/contracts/event-type'
import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type, { type TSchema } from 'typebox'
import { describeSdkEvents } from '../../../scripts/generate/sdk-events.ts'
import {
  type Everything,
  type Part,
  type PartsByName,
  SAMPLE_EVENT_TYPES,
} from './testing/sample-event-types.ts'
import type * as generated from './testing/sample-events.ts'

const eventWith = (data: TSchema, name = 'sample.event'): EventType => ({
  name,
  data,
  meaning: 'Something happened.',
  isAboutUser: true,
  example: null,
})

const describeData = (...schemas: TSchema[]): string =>
  describeSdkEvents(schemas.map((data, index) => eventWith(data, `sample.event_${index}`)))

/** What stands for the data of the first event. */
function typeOfData(schema: TSchema): string | undefined {
  return /'sample\.event_0': (.*)\n/.exec(describeData(schema))?.[1]
}

const belowFirstLine = (text: string): string => text.slice(text.indexOf('\n') + 1)

/** Fails to compile unless values of either type fit the other. */
type Fits<One extends Other, Other> = One
type Bare = 'empty' | 'open'
type AgreesWithTypeBox = [
  Fits<generated.Everything, Type.Static<typeof Everything>>,
  // The code says more of an object without properties than TypeBox does.
  Fits<Omit<Type.Static<typeof Everything>, Bare>, Omit<generated.Everything, Bare>>,
  Fits<generated.Part, Type.Static<typeof Part>>,
  Fits<Type.Static<typeof Part>, generated.Part>,
  Fits<generated.PartsByName, Type.Static<typeof PartsByName>>,
  Fits<Type.Static<typeof PartsByName>, generated.PartsByName>,
]

describe('the types of events', () => {
  test('are the code that the sample shows, which compiles and agrees with the schemas', () => {
    const sample = readFileSync(new URL('testing/sample-events.ts', import.meta.url), 'utf8')
    assert.equal(belowFirstLine(describeSdkEvents(SAMPLE_EVENT_TYPES)), belowFirstLine(sample))
    const agreement: AgreesWithTypeBox | undefined = undefined
    assert.equal(agreement, undefined)
  })

  test('begin with the notice, as a comment', () => {
    const [firstLine] = describeSdkEvents(SAMPLE_EVENT_TYPES).split('\n')
    assert.match(firstLine ?? '', /^\/\/ generated from .* by scripts\/generate\.ts; do not edit$/)
  })

  test('hold each titled schema once, in the order of the names', () => {
    const inner = Type.Object({ at: Type.String() }, { title: 'Inner' })
    const outer = Type.Object({ inner, also: Nullable(inner) }, { title: 'AnOuter' })
    const text = describeData(outer, outer, Type.Array(inner))
    const declared = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)
    assert.deepEqual(declared, ['AnOuter', 'Inner', 'EventDataByType'])
  })

  test('keep what a property says apart from what its schema says elsewhere', () => {
    const Reading = (description: string) =>
      Type.Object({ value: Type.Number({ description }) }, { title: 'Reading' })
    assert.throws(() => describeData(Reading('One.'), Reading('Another.')), /"Reading" too/)
  })

  test('are made of plain JSON Schema too', () => {
    assert.equal(typeOfData({}), 'unknown')
    assert.equal(typeOfData({ enum: ['a', 2, null, "it's"] } as TSchema), `'a' | 2 | "it's" | null`)
    assert.equal(typeOfData({ type: ['string', 'integer', 'null'] }), 'string | number | null')
    assert.equal(typeOfData({ type: ['null'] }), 'null')
    assert.equal(typeOfData({ type: 'array' }), 'unknown[]')
    assert.equal(
      typeOfData({ type: 'object', additionalProperties: { type: 'number' } }),
      'Record<string, number>',
    )
    assert.equal(
      typeOfData({ type: 'object', additionalProperties: true }),
      'Record<string, unknown>',
    )
  })

  test('take null of a nullable schema once, and last', () => {
    assert.equal(typeOfData(Nullable(TextEnum(['a', 'b']))), `'a' | 'b' | null`)
    assert.equal(typeOfData(Nullable(Nullable(Type.Integer()))), 'number | null')
    assert.equal(typeOfData(Type.Union([Type.Null(), Type.String()])), 'string | null')
    assert.equal(typeOfData(Type.Array(Nullable(Type.String()))), '(string | null)[]')
  })

  test('are refused for a schema whose type would be wrong', () => {
    const both = Type.Intersect([Type.Object({}), Type.Object({})])
    assert.throws(() => describeData(Type.Object({ both })), /sample\.event_0\.both: .*"allOf"/)
    assert.throws(() => describeData({ $ref: '#/else' } as TSchema), /"\$ref"/)
    assert.throws(() => describeData({ type: 'date' }), /no type "date"/)
    assert.throws(() => describeData(Type.Tuple([Type.String()])), /"additionalItems"/)
  })

  test('are refused when two events have one name', () => {
    const twice = [eventWith(Type.Null()), eventWith(Type.Null())]
    assert.throws(() => describeSdkEvents(twice), /two events/)
  })
})

describe('a title', () => {
  test('must be the name of a type', () => {
    for (const title of ['two words', 'lower', '1st', 'Récord']) {
      assert.throws(() => describeData(Type.Object({}, { title })), /cannot be the name of a type/)
    }
  })

  test('must not be a name that the SDK exports for events and queries', () => {
    const index = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
    // Exports about events and queries; the client has types of its own beside those of events.
    const exports = index.matchAll(/^export \{([^}]*)\} from '\.\/(?:event\.ts|query\/)/gm)
    const lists = [...exports].map(([, list]) => list)
    const names: string[] = lists.join(',').match(/\b[A-Z]\w+/g) ?? []
    assert.ok(names.includes('EventEnvelope') && names.includes('QueryRequest'))
    for (const title of [...names, 'EventDataByType']) {
      assert.throws(() => describeData(Type.Object({}, { title })), /cannot be the name of a type/)
    }
  })
})
