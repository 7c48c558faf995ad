import type { WhereOperand, WherePredicate } from '../where-ast.ts'
import { WhereSyntaxError, type WhereSyntaxFault } from './where-syntax-error.ts'
import { readWhereTokens, type WhereToken } from './where-tokens.ts'

export { WhereSyntaxError } from './where-syntax-error.ts'

/** Maximum number of characters of a filter. */
const MOST_WHERE_CHARACTERS = 4000
/** Maximum nesting of parentheses. */
const MOST_WHERE_NESTING = 32

/**
 * Parses a filter (docs/contract/09-aggregate.md#where): `a > 1 AND NOT (b = 'x' OR c = NULL)`. AND
 * binds tighter than OR, NOT tighter than both. Columns and types are not checked.
 * @throws {WhereSyntaxError} With the position and what was expected there.
 */
export function parseWhere(text: string): WherePredicate {
  if (isTooLong(text)) throw new WhereSyntaxError('too_long', MOST_WHERE_CHARACTERS)
  const parser = new WhereParser(text)
  return parser.parseWhole()
}

function isTooLong(text: string): boolean {
  if (text.length <= MOST_WHERE_CHARACTERS) return false
  return text.length > 2 * MOST_WHERE_CHARACTERS || [...text].length > MOST_WHERE_CHARACTERS
}

/** Recursive descent, one token ahead; its depth is that of the parentheses. */
class WhereParser {
  readonly #read: () => WhereToken
  #next: WhereToken
  #depth = 0

  constructor(text: string) {
    this.#read = readWhereTokens(text)
    this.#next = this.#read()
  }

  parseWhole(): WherePredicate {
    const predicate = this.#parseOr()
    if (this.#next.kind !== 'end') throw this.#syntaxError('expected_end')
    return predicate
  }

  #parseOr(): WherePredicate {
    return this.#parseChain('or', () => this.#parseAnd())
  }

  #parseAnd(): WherePredicate {
    return this.#parseChain('and', () => this.#parseNot())
  }

  #parseChain(kind: 'and' | 'or', parseOperand: () => WherePredicate): WherePredicate {
    const first = parseOperand()
    if (this.#next.kind !== kind) return first
    const operands = [first]
    while (this.#next.kind === kind) {
      this.#takeToken()
      operands.push(parseOperand())
    }
    return { kind, operands }
  }

  #parseNot(): WherePredicate {
    if (this.#next.kind !== 'not') return this.#parsePrimary()
    this.#takeToken()
    if (this.#next.kind === 'not') throw this.#syntaxError('repeated_not')
    return { kind: 'not', operand: this.#parsePrimary() }
  }

  #parsePrimary(): WherePredicate {
    if (this.#next.kind !== 'open') return this.#parseComparison()
    if (this.#depth === MOST_WHERE_NESTING) throw this.#syntaxError('too_deep')
    this.#depth++
    this.#takeToken()
    const predicate = this.#parseOr()
    this.#closeParenthesis()
    this.#depth--
    return predicate
  }

  #parseComparison(): WherePredicate {
    const left = this.#parseOperand('expected_term')
    if (this.#next.kind !== 'operator') throw this.#syntaxError('expected_operator')
    const { operator, position } = this.#next
    this.#takeToken()
    const right = this.#parseOperand('expected_operand')
    if (left.kind !== 'column' && right.kind !== 'column') {
      throw new WhereSyntaxError('no_column', left.position)
    }
    return { kind: 'comparison', operator, left, right, position }
  }

  #parseOperand(fault: WhereSyntaxFault): WhereOperand {
    if (this.#next.kind !== 'operand') throw this.#syntaxError(fault)
    const { operand } = this.#next
    this.#takeToken()
    return operand
  }

  #closeParenthesis(): void {
    if (this.#next.kind !== 'close') throw this.#syntaxError('expected_close')
    this.#takeToken()
  }

  #takeToken(): void {
    this.#next = this.#read()
  }

  #syntaxError(code: WhereSyntaxFault): WhereSyntaxError {
    return new WhereSyntaxError(code, this.#next.position)
  }
}
