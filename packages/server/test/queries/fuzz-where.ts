import assert from 'node:assert/strict'
import { parseWhere, WhereSyntaxError } from '../../../health/src/queries/where/parse-where.ts'
import type {
  WhereOperand,
  WhereOperator,
  WherePredicate,
} from '../../../health/src/queries/where-ast.ts'
import { printWhere, withoutPositions } from './print-where.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

/** How many texts were read, by what they were and what came of them. */
export interface FuzzOutcome {
  texts: number
  /** Texts that are filters, by kind of text. */
  accepted: Record<TextKind, number>
  refused: Record<TextKind, number>
  /** Refused texts by fault. */
  faults: Record<string, number>
}

type TextKind = 'valid' | 'mutated' | 'pieces' | 'bytes'

const NAMES = ['a', 'efficiency', '_x', 'source_provider', 'n1', 'not_a', 'order', 'nullable']
const RESOURCES = ['glucose', 'blood_pressure', 'or_so']
const TEXTS = [
  '',
  'x',
  "it's",
  "'",
  '--',
  '); drop table samples; --',
  'née 😀',
  '\u0000',
  '\\',
  '2025-01-31',
]
const OPERATORS: WhereOperator[] = ['>', '>=', '<', '<=', '=', '!=']
const PIECES = [
  ...[
    '(',
    ')',
    ' and ',
    ' or ',
    ' not ',
    ' NOT',
    '=',
    '!=',
    '<',
    '>=',
    '<>',
    '==',
    "'",
    "''",
    '"',
    '.',
    ',',
  ],
  ...[
    'a',
    'glucose.value',
    '1',
    '-1',
    '1e5',
    '1e999',
    '-',
    '+',
    'null',
    'true',
    ' in ',
    ' like ',
    ';',
    '--',
  ],
  ...[
    '/*',
    '\\',
    '\u00a0',
    '😀',
    '\ud800',
    '\n',
    '\t',
    'A',
    '0x1',
    '1.',
    '.5',
    'sum(',
    '%',
    '{x:String}',
  ],
]

/**
 * Reads `count` random texts: filters, filters with a few characters changed, strings of pieces and
 * strings of bytes. Each must be read as what it was made from, or be refused with a place inside
 * it; and what is read, printed and read again must be the same.
 */
export function fuzzWhere(
  count: number,
  seed: number,
  onText?: (done: number) => void,
): FuzzOutcome {
  const random = createSeededRandom(seed)
  const outcome: FuzzOutcome = {
    texts: count,
    accepted: { valid: 0, mutated: 0, pieces: 0, bytes: 0 },
    refused: { valid: 0, mutated: 0, pieces: 0, bytes: 0 },
    faults: {},
  }
  for (let done = 0; done < count; done++) {
    const made = makePredicate(random, 3)
    const text = disguise(random, printWhere(made))
    const kind = random.pick<TextKind>(['valid', 'mutated', 'mutated', 'pieces', 'bytes'])
    const read = readText(outcome, kind, makeText(random, kind, text))
    if (kind === 'valid') assert.deepEqual(read, made)
    onText?.(done)
  }
  return outcome
}

function readText(outcome: FuzzOutcome, kind: TextKind, text: string): WherePredicate | undefined {
  try {
    const predicate = withoutPositions(parseWhere(text))
    outcome.accepted[kind]++
    assert.deepEqual(withoutPositions(parseWhere(printWhere(predicate))), predicate)
    return predicate
  } catch (error) {
    if (!(error instanceof WhereSyntaxError)) {
      throw new Error(`Read ${JSON.stringify(text)}`, { cause: error })
    }
    assert.ok(error.position >= 0 && error.position <= [...text].length, JSON.stringify(text))
    outcome.refused[kind]++
    outcome.faults[error.code] = (outcome.faults[error.code] ?? 0) + 1
    return undefined
  }
}

function makeText(random: SeededRandom, kind: TextKind, valid: string): string {
  if (kind === 'valid') return valid
  if (kind === 'mutated') return mutate(random, valid)
  const length = random.below(random.chance(0.01) ? 4100 : 40)
  if (kind === 'bytes') {
    return String.fromCharCode(...Array.from({ length }, () => random.below(256)))
  }
  return Array.from({ length: Math.min(length, 1500) }, () => random.pick(PIECES)).join('')
}

function makePredicate(random: SeededRandom, depth: number): WherePredicate {
  const choice = depth === 0 ? 9 : random.below(10)
  if (choice < 4) {
    const operands = Array.from({ length: 2 + random.below(3) }, () =>
      makePredicate(random, depth - 1),
    )
    return { kind: choice < 2 ? 'and' : 'or', operands }
  }
  if (choice === 4) return { kind: 'not', operand: makePredicate(random, depth - 1) }
  const column = makeColumn(random)
  const other = random.chance(0.2) ? makeColumn(random) : makeValue(random)
  const [left, right] = random.chance(0.8) ? [column, other] : [other, column]
  return { kind: 'comparison', operator: random.pick(OPERATORS), left, right, position: 0 }
}

function makeColumn(random: SeededRandom): WhereOperand {
  const resource = random.chance(0.3) ? random.pick(RESOURCES) : null
  return { kind: 'column', resource, name: random.pick(NAMES), position: 0 }
}

function makeValue(random: SeededRandom): WhereOperand {
  switch (random.below(4)) {
    case 0:
      return { kind: 'text', value: random.pick(TEXTS), position: 0 }
    case 1: {
      const value = (random.next() - 0.5) * 10 ** random.below(30)
      return { kind: 'number', value: random.chance(0.5) ? Math.round(value) : value, position: 0 }
    }
    case 2:
      return { kind: 'boolean', value: random.chance(0.5), position: 0 }
    default:
      return { kind: 'null', position: 0 }
  }
}

/** The same filter with other spaces, and keywords in other case. Texts have no double spaces. */
function disguise(random: SeededRandom, text: string): string {
  return text
    .replace(/ (and|or) |\bnot |\b(true|false|null)$/g, (word) =>
      random.chance(0.5) ? word.toUpperCase() : word,
    )
    .replace(/^|$/g, () => ' \t\r\n'.slice(random.below(5)))
}

function mutate(random: SeededRandom, text: string): string {
  let mutated = text
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(mutated.length + 1)
    const removed = random.chance(0.5) ? random.below(4) : 0
    const added = random.chance(0.6) ? random.pick(PIECES) : ''
    mutated = mutated.slice(0, at) + added + mutated.slice(at + removed)
  }
  return mutated
}

if (import.meta.main) {
  const [count = '1000000', seed = '1'] = process.argv.slice(2)
  const start = performance.now()
  const outcome = fuzzWhere(Number(count), Number(seed), (done) => {
    if (done % 100_000 === 0) process.stderr.write(`${done} texts\n`)
  })
  const seconds = (performance.now() - start) / 1000
  const perSecond = Math.round(outcome.texts / seconds)
  process.stdout.write(
    `${JSON.stringify({ seed: Number(seed), perSecond, ...outcome }, null, 2)}\n`,
  )
}
