import fc from 'fast-check'

/** JSON text of a value, in the forms in which clients write it, and in some that are no JSON. */
const anyNumber = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: 0, max: 300 }).map(String) },
  { weight: 20, arbitrary: fc.double({ min: 0, max: 300, noNaN: true }).map(String) },
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.tuple(fc.nat(), fc.nat({ max: 99_999 })).map(([whole, part]) => `${whole}.${part}`),
  fc.constantFrom('-0', '-0.0', '0.10', '01', '1.', '.5', '-', '-7.25', '1e3', '1E-2', '"72"'),
  fc.constantFrom('null', '9007199254740993', '123456789012345.6', '0.1234567890123456', '1e400'),
)
const anyTime = fc
  .tuple(
    fc.integer({ min: Date.UTC(2026, 1, 10), max: Date.UTC(2026, 1, 12) }),
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('Z', 'Z', '+01:00', '-05:30', '') },
      fc.constantFrom('-00:00', '+00:00', '+0100', '+02', 'z', '+24:00', '+01:60'),
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom('ms', 's') }, fc.constantFrom('us', 'comma')),
  )
  .map(([at, zone, precision]) => {
    const text = new Date(at).toISOString().slice(0, -1)
    if (precision === 's') return text.slice(0, 19) + zone
    if (precision === 'us') return `${text}123${zone}`
    return (precision === 'comma' ? text.replace('.', ',') : text) + zone
  })
const oddTimes = [
  '2026-02-29T08:00:00Z',
  '2024-02-29 08:00:00Z',
  '1850-01-01T00:00:00Z',
  '',
  '2026',
]
const anyTimeText = fc
  .oneof({ weight: 40, arbitrary: anyTime }, fc.constantFrom(...oddTimes))
  .map((text) => JSON.stringify(text))

/** Fields that items of a run share; the whole text of each. */
const anyCommon = fc.constantFrom(
  '"unit":"bpm"',
  '"unit":"count/s"',
  '"unit":"count","source_bundle":"com.example.watch"',
  '"unit":"bpm","id":"5f","source_bundle":null',
  '"unit": "furlong"',
  '"unit":"bpm","source_bundle":"com.example.ä😀"',
  '"unit":"bpm","type":"watch","metadata":{"_DMO":"M1","HKTimeZone":"Europe/Vienna"}',
  '"unit":"bpm","metadata":{"HKWasUserEntered":"1","list":[1,2]}',
  '"unit":"bpm","type":"nonsense"',
  '"unit":"bpm","unit":"count/s"',
  '"unit":"bpm","value":5',
  '"unit":"bpm","\\u0076alue":5',
  '"unit":"b\\u0070m"',
  '"unit":"bpm","id":null,"product_type":"Watch1,2"',
  '"unit":"bpm","__proto__":{"a":1}',
  '"unit":"bpm","deep":[[[[[[]]]]]]',
)

/** How a client orders and spaces the fields of an item. */
export const anyStyle = fc.record({
  common: anyCommon,
  isValueFirst: fc.boolean(),
  end: fc.constantFrom('same', 'own', 'none', 'null', 'number'),
  hasId: fc.boolean(),
  space: fc.constantFrom('', ' ', '\n  '),
})
/** Text of an id, of which each item of a client may have its own. */
const anyId = fc.oneof(
  { weight: 60, arbitrary: fc.nat({ max: 99 }).map((number) => `5f-${number}`) },
  fc.constantFrom('ä😀', '', '\\u0041', '\\"', 'x'.repeat(300)),
)

export type Style = typeof anyStyle extends fc.Arbitrary<infer S> ? S : never

function itemText(style: Style, value: string, start: string, end: string, id: string): string {
  const { space } = style
  const times = [`"start_date":${space}${start}`]
  if (style.end === 'same') times.push(`"end_date":${space}${start}`)
  if (style.end === 'own') times.push(`"end_date":${space}${end}`)
  if (style.end === 'null') times.push('"end_date":null')
  if (style.end === 'number') times.push('"end_date":5')
  const number = `"value":${space}${value}`
  if (style.hasId) times.push(`"id":${space}"${id}"`)
  const parts = style.isValueFirst
    ? [number, style.common, ...times]
    : [...times, style.common, number]
  return `{${space}${parts.join(`,${space}`)}${space}}`
}

/** JSON text of an item in one of the styles. */
export const anyItem = (styles: readonly Style[]) =>
  fc.oneof(
    {
      weight: 100,
      arbitrary: fc
        .tuple(fc.constantFrom(...styles), anyNumber, anyTimeText, anyTimeText, anyId)
        .map(([style, ...texts]) => itemText(style, ...texts)),
    },
    fc.constantFrom('null', '7', '{}', '{"value":1}'),
  )

/** A place of the text, and what comes there instead of a character, or before it. */
export const anyMutation = fc.option(
  fc.tuple(fc.nat(), fc.constantFrom(...'[]{},":x0. \\-'), fc.boolean()),
  { freq: 2 },
)

export function mutate(text: string, mutation: [number, string, boolean] | null): string {
  if (mutation === null) return text
  const [where, character, replaces] = mutation
  const at = where % text.length
  return text.slice(0, at) + character + text.slice(replaces ? at + 1 : at)
}
