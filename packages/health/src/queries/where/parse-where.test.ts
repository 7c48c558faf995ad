import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fuzzFilters } from '../../../../server/test/queries/fuzz-filter.ts'
import { fuzzWhere } from '../../../../server/test/queries/fuzz-where.ts'
import { printWhere } from '../../../../server/test/queries/print-where.ts'
import { parseWhere, WhereSyntaxError } from './parse-where.ts'
import { WHERE_SYNTAX_MESSAGES, type WhereSyntaxFault } from './where-syntax-error.ts'

/** The parsed text, with all parentheses that its reading needs. */
const understood = (text: string): string => printWhere(parseWhere(text))

function assertRefused(text: string, code: WhereSyntaxFault, position: number): void {
  assert.throws(
    () => parseWhere(text),
    (error) => {
      assert.ok(error instanceof WhereSyntaxError, String(error))
      assert.deepEqual({ code: error.code, position: error.position }, { code, position }, text)
      assert.equal(error.message, WHERE_SYNTAX_MESSAGES[code])
      return true
    },
  )
}

/** The operand right of `a =`. */
function readValue(text: string): unknown {
  const predicate = parseWhere(`a = ${text}`)
  assert.equal(predicate.kind, 'comparison')
  return predicate.kind === 'comparison' ? predicate.right : undefined
}

describe('a filter is read', () => {
  test('with the place of every part', () => {
    assert.deepEqual(parseWhere(" source_type != 'ring'"), {
      kind: 'comparison',
      operator: '!=',
      left: { kind: 'column', resource: null, name: 'source_type', position: 1 },
      right: { kind: 'text', value: 'ring', position: 16 },
      position: 13,
    })
  })

  test('with places that count characters, also outside the basic plane', () => {
    const predicate = parseWhere("'😀' = a")
    assert.equal(predicate.kind === 'comparison' && predicate.position, 4)
    assertRefused("a = '😀😀' %", 'unknown_character', 9)
  })

  test('with AND before OR and NOT before AND', () => {
    const predicate = parseWhere('a = 1 or b = 2 and not c = 3 or d = 4')
    assert.equal(predicate.kind, 'or')
    assert.deepEqual(predicate.kind === 'or' && predicate.operands.map(({ kind }) => kind), [
      'comparison',
      'and',
      'comparison',
    ])
    assert.equal(understood('(a = 1 or b = 2) and c = 3'), '(a = 1 or b = 2) and c = 3')
    assert.equal(understood('not (a = 1 or b = 2) and c = 3'), 'not (a = 1 or b = 2) and c = 3')
    assert.equal(understood('((a = 1)) or (b = 2 and c = 3)'), 'a = 1 or b = 2 and c = 3')
  })

  test('with a long chain as one list', () => {
    const predicate = parseWhere(Array.from({ length: 300 }, () => 'a = 1').join(' and '))
    assert.equal(predicate.kind === 'and' && predicate.operands.length, 300)
  })

  test('with keywords in any case, and names that begin like keywords', () => {
    assert.equal(
      understood('NoT a = TRUE AnD b = False oR c = nULL'),
      'not a = true and b = false or c = null',
    )
    assert.equal(understood('not_a = 1 and order = 2'), 'not_a = 1 and order = 2')
  })

  test('without spaces where signs divide', () => {
    assert.equal(understood("(a>=-1)and'x'!=b"), "a >= -1 and 'x' != b")
  })

  test('with series before fields', () => {
    assert.deepEqual(parseWhere('glucose.value > note.tags'), {
      kind: 'comparison',
      operator: '>',
      left: { kind: 'column', resource: 'glucose', name: 'value', position: 0 },
      right: { kind: 'column', resource: 'note', name: 'tags', position: 16 },
      position: 14,
    })
  })

  test('with quotes in texts, which mean nothing else', () => {
    assert.deepEqual(readValue("''"), { kind: 'text', value: '', position: 4 })
    assert.deepEqual(readValue("''''"), { kind: 'text', value: "'", position: 4 })
    assert.deepEqual(readValue("'it''s \\ \" \n -- {x}'"), {
      kind: 'text',
      value: 'it\'s \\ " \n -- {x}',
      position: 4,
    })
  })

  test('with whole, negative and decimal numbers and exponents', () => {
    const cases = {
      0: 0,
      42: 42,
      '-7': -7,
      '1.50': 1.5,
      '-0.25': -0.25,
      '2e3': 2000,
      '1.5E-2': 0.015,
    }
    for (const [text, value] of Object.entries({ ...cases, '007': 7, '1e+2': 100 })) {
      assert.deepEqual(readValue(text), { kind: 'number', value, position: 4 })
    }
  })
})

describe('a text that is no filter is refused', () => {
  test('where something else was expected', () => {
    assertRefused('', 'expected_term', 0)
    assertRefused('  ', 'expected_term', 2)
    assertRefused('a', 'expected_operator', 1)
    assertRefused('a =', 'expected_operand', 3)
    assertRefused('a = = 1', 'expected_operand', 4)
    assertRefused('a = (1)', 'expected_operand', 4)
    assertRefused('a = 1 and', 'expected_term', 9)
    assertRefused('a = 1 b = 2', 'expected_end', 6)
    assertRefused('a = 1)', 'expected_end', 5)
    assertRefused('(a = 1', 'expected_close', 6)
    assertRefused('()', 'expected_term', 1)
    assertRefused('a = 1 < 2', 'expected_end', 6)
    assertRefused('not not a = 1', 'repeated_not', 4)
    assertRefused('not', 'expected_term', 3)
  })

  test('when it uses what the language has not', () => {
    assertRefused("a in ('x')", 'expected_operator', 2)
    assertRefused("a like 'x'", 'expected_operator', 2)
    assertRefused("a LIKE 'x'", 'expected_operator', 2)
    assertRefused('a is null', 'expected_operator', 2)
    assertRefused('sum(a) > 1', 'expected_operator', 3)
    assertRefused('a + 1 = 2', 'unknown_character', 2)
    assertRefused('a = 1; drop table x', 'unknown_character', 5)
    assertRefused('a = 1 -- x', 'unknown_character', 6)
    assertRefused('"a" = 1', 'quoted_column', 0)
    assertRefused('a <> 1', 'bad_operator', 2)
    assertRefused('a == 1', 'bad_operator', 2)
    assertRefused('a =! 1', 'bad_operator', 2)
    assertRefused('a\u00a0= 1', 'unknown_character', 1)
  })

  test('for names that are none', () => {
    for (const name of ['A', 'aB', 'a.b.c', 'a.', 'a..b', 'a.1', 'A.b']) {
      assertRefused(`${name} = 1`, 'bad_name', 0)
    }
    assertRefused('.a = 1', 'unknown_character', 0)
    assertRefused('a . b = 1', 'unknown_character', 2)
    assertRefused('é = 1', 'unknown_character', 0)
  })

  test('for numbers that are none', () => {
    for (const number of ['1.', '1x', '1.2.3', '1e', '0x1f', '1_000', '1e5.5']) {
      assertRefused(`a = ${number}`, 'bad_number', 4)
    }
    for (const number of ['.5', '+1', '- 1']) assertRefused(`a = ${number}`, 'unknown_character', 4)
    assertRefused('a = 1e999', 'number_too_large', 4)
  })

  test('for a text that never ends', () => {
    assertRefused("a = 'x", 'unclosed_text', 4)
    assertRefused("a = 'x''", 'unclosed_text', 4)
    assertRefused("a = '''", 'unclosed_text', 4)
  })

  test('for a comparison without a column', () => {
    assertRefused('1 = 1', 'no_column', 0)
    assertRefused("a = 1 and 'x' = null", 'no_column', 10)
  })
})

describe('limits', () => {
  test('4000 characters are read, one more is not', () => {
    const filler = (length: number): string => `a = '${'😀'.repeat(length - 6)}'`
    assert.equal(parseWhere(filler(4000)).kind, 'comparison')
    assertRefused(filler(4001), 'too_long', 4000)
    assertRefused('x'.repeat(10_000_000), 'too_long', 4000)
  })

  test('32 parentheses are read, one more is not, nor any number of them', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a = 1${')'.repeat(depth)}`
    assert.equal(understood(nested(32)), 'a = 1')
    assert.equal(understood(Array.from({ length: 60 }, () => nested(20)).join(' or ')).length, 536)
    assertRefused(nested(33), 'too_deep', 32)
    assertRefused('('.repeat(4000), 'too_deep', 32)
    assertRefused('not ('.repeat(800), 'too_deep', 164)
    assertRefused('NOT '.repeat(1000), 'repeated_not', 4)
  })
})

test('20,000 random texts are read as they were meant or refused with a place', () => {
  const { accepted, refused } = fuzzWhere(20_000, 9)
  assert.equal(refused.valid, 0)
  assert.ok(accepted.valid > 3000 && accepted.mutated > 500 && refused.mutated > 3000)
})

test('5,000 random filters become statements without a text of theirs, or are refused', () => {
  const { compiled, refused } = fuzzFilters(5000, 3)
  assert.ok(compiled > 300, `${compiled} compiled`)
  assert.ok((refused.where_type ?? 0) > 100 && (refused.unknown_column ?? 0) > 100)
})
