import type { WhereOperand, WhereOperator } from '../where-ast.ts'
import { WhereSyntaxError } from './where-syntax-error.ts'

/** A token of a filter; positions count characters from 0. */
export type WhereToken =
  | { kind: 'and' | 'or' | 'not' | 'open' | 'close' | 'end'; position: number }
  | { kind: 'operator'; operator: WhereOperator; position: number }
  | { kind: 'operand'; operand: WhereOperand; position: number }

const SPACE = /[ \t\r\n]*/y
/**
 * The whole text that could be meant as a number or name, so that 1x and a..b are wrong as a whole.
 */
const NUMBER_LIKE = /-?[0-9](?:[eE][+-]|[A-Za-z0-9_.])*/y
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const WORD_LIKE = /[A-Za-z_][A-Za-z0-9_.]*/y
const COLUMN = /^(?:([a-z_][a-z0-9_]*)\.)?([a-z_][a-z0-9_]*)$/
const OPERATOR_LIKE = /[<>=!]+/y
const OPERATORS: ReadonlySet<string> = new Set<WhereOperator>(['>', '>=', '<', '<=', '=', '!='])
const PAIR = /[\u{10000}-\u{10ffff}]/gu

/**
 * Reads a filter token by token; after the last one it always returns `end`. Every token is read
 * once, in linear time.
 * @throws {WhereSyntaxError} At the first invalid token.
 */
export function readWhereTokens(text: string): () => WhereToken {
  let index = 0
  let position = 0

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = index
    return pattern.exec(text)?.[0] ?? ''
  }
  /** Advances by a token; a character outside the basic plane is one character but two units. */
  const advance = (piece: string): void => {
    index += piece.length
    position += piece.length - (piece.match(PAIR)?.length ?? 0)
  }

  return () => {
    advance(take(SPACE))
    const at = position
    const first = text[index]
    if (first === undefined) return { kind: 'end', position: at }
    if (first === '(' || first === ')') {
      advance(first)
      return { kind: first === '(' ? 'open' : 'close', position: at }
    }
    if (first === "'") {
      const piece = text.slice(index, findEndOfText(text, index, at))
      advance(piece)
      return operand({ kind: 'text', value: unquote(piece), position: at })
    }
    for (const [pattern, toToken] of PIECES) {
      const piece = take(pattern)
      if (piece === '') continue
      advance(piece)
      return toToken(piece, at)
    }
    throw new WhereSyntaxError(first === '"' ? 'quoted_column' : 'unknown_character', at)
  }
}

const PIECES: readonly (readonly [RegExp, (piece: string, position: number) => WhereToken])[] = [
  [WORD_LIKE, toWord],
  [NUMBER_LIKE, toNumber],
  [OPERATOR_LIKE, toOperator],
]

function operand(value: WhereOperand): WhereToken {
  return { kind: 'operand', operand: value, position: value.position }
}

/** Returns the index behind the quote that closes the text which opens at `start`. */
function findEndOfText(text: string, start: number, position: number): number {
  let end = text.indexOf("'", start + 1)
  while (end !== -1 && text[end + 1] === "'") end = text.indexOf("'", end + 2)
  if (end === -1) throw new WhereSyntaxError('unclosed_text', position)
  return end + 1
}

function unquote(piece: string): string {
  return piece.slice(1, -1).replaceAll("''", "'")
}

/** SQL keywords that users try, for which the advice to use lower case would be wrong. */
const SQL_WORDS = new Set(['IN', 'LIKE', 'ILIKE', 'IS', 'BETWEEN'])

function toWord(word: string, position: number): WhereToken {
  switch (word.toLowerCase()) {
    case 'and':
      return { kind: 'and', position }
    case 'or':
      return { kind: 'or', position }
    case 'not':
      return { kind: 'not', position }
    case 'true':
      return operand({ kind: 'boolean', value: true, position })
    case 'false':
      return operand({ kind: 'boolean', value: false, position })
    case 'null':
      return operand({ kind: 'null', position })
  }
  const [, resource = null, name] = COLUMN.exec(word) ?? []
  if (name === undefined) {
    throw new WhereSyntaxError(SQL_WORDS.has(word) ? 'expected_operator' : 'bad_name', position)
  }
  return operand({ kind: 'column', resource, name, position })
}

function toNumber(piece: string, position: number): WhereToken {
  if (!NUMBER.test(piece)) throw new WhereSyntaxError('bad_number', position)
  const value = Number(piece)
  if (!Number.isFinite(value)) throw new WhereSyntaxError('number_too_large', position)
  return operand({ kind: 'number', value, position })
}

function toOperator(piece: string, position: number): WhereToken {
  if (!OPERATORS.has(piece)) throw new WhereSyntaxError('bad_operator', position)
  return { kind: 'operator', operator: piece as WhereOperator, position }
}
