import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../errors.ts'
import { checkParsedJson, JSON_LIMITS } from './json-limits.ts'
import { parseLargeJson } from './large-json.ts'

const parse = (text: string): unknown => JSON.parse(text)

/** Numbers from 0 to 1, always the same ones. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const TEXTS = [
  '',
  'a',
  '"',
  '\\',
  '[',
  ']',
  '{',
  '},',
  'é',
  '😀',
  '\n',
  '\\"',
  'plain text',
  '\u0000',
]

function randomValue(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * (depth > 5 ? 4 : 8))
  const text = (): string => TEXTS[Math.floor(random() * TEXTS.length)] ?? ''
  if (pick === 0) return null
  if (pick === 1) return random() * 1e6
  if (pick === 2) return random() < 0.5
  if (pick === 3) return text() + text()
  const count = Math.floor(random() * 8)
  const values = Array.from({ length: count }, () => randomValue(random, depth + 1))
  if (pick < 6) return values
  return Object.fromEntries(values.map((value, index) => [`${text()}${index}`, value]))
}

test('a text that is parsed in pieces gives what it gives at once', async () => {
  const random = createRandom(7)
  for (let run = 0; run < 1_000; run++) {
    const value = randomValue(random, 0)
    const text = JSON.stringify(value, null, random() < 0.3 ? 2 : undefined)
    const sizes = { pieceBytes: Math.ceil(random() * 20), scanBytes: Math.ceil(random() * 9) }
    const pieced = await parseLargeJson(Buffer.from(text), parse, sizes)
    assert.deepEqual(pieced, value)
  }
})

test('a text that is no JSON is refused in pieces too, and one that is, is taken', async () => {
  const random = createRandom(11)
  let refused = 0
  const sizes = { pieceBytes: 3, scanBytes: 5 }
  for (let run = 0; run < 3_000; run++) {
    const text = JSON.stringify({ data: randomValue(random, 0), more: randomValue(random, 0) })
    const at = Math.floor(random() * text.length)
    const character = '[]{},":x1 '[Math.floor(random() * 10)] ?? ''
    const broken = text.slice(0, at) + character + text.slice(at + (random() < 0.5 ? 1 : 0))
    let expected: unknown
    try {
      expected = JSON.parse(Buffer.from(broken).toString())
    } catch {
      refused += 1
      await assert.rejects(parseLargeJson(Buffer.from(broken), parse, sizes), SyntaxError, broken)
      continue
    }
    assert.deepEqual(await parseLargeJson(Buffer.from(broken), parse, sizes), expected)
  }
  assert.ok(refused > 1_000)
})

describe('a text over a limit', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const listOf = (count: number): string => `{"data":[${Array(count).fill('1').join(',')}]}`
  const keysOf = (count: number): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])),
    )
  const cases: [name: string, within: string, over: string, status: number][] = [
    ['depth', nested(JSON_LIMITS.depth), nested(JSON_LIMITS.depth + 1), 422],
    ['entries', listOf(JSON_LIMITS.listEntries), listOf(JSON_LIMITS.listEntries + 1), 413],
    ['keys', keysOf(JSON_LIMITS.objectKeys), keysOf(JSON_LIMITS.objectKeys + 1), 413],
  ]
  for (const [name, within, over, status] of cases) {
    test(`of ${name} is refused before and after it is parsed`, async () => {
      const isRefusal = (error: unknown): boolean =>
        error instanceof AppError && error.status === status
      checkParsedJson(JSON.parse(within))
      assert.throws(() => checkParsedJson(JSON.parse(over)), isRefusal)
      await parseLargeJson(Buffer.from(within), parse)
      const neverParsed = () => assert.fail('it was parsed')
      await assert.rejects(parseLargeJson(Buffer.from(over), neverParsed), isRefusal)
    })
  }

  test('of all values or of one entry is refused before it is parsed', async () => {
    const list = `[${Array(99_999).fill('{}').join(',')}]`
    const tooMany = `[${Array(11).fill(list).join(',')}]`
    const tooLong = `{"data":["${'a'.repeat(JSON_LIMITS.itemBytes)}"]}`
    for (const text of [tooMany, tooLong]) {
      await assert.rejects(
        parseLargeJson(Buffer.from(text), () => assert.fail('it was parsed')),
        (error) => error instanceof AppError && error.status === 413,
      )
    }
  })
})
