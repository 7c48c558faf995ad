/** Syntax errors of a filter with their messages, which quote no part of it. */
export const WHERE_SYNTAX_MESSAGES = {
  too_long: 'A filter has at most 4000 characters.',
  too_deep: 'Parentheses nest at most 32 deep.',
  unknown_character:
    'This character has no meaning here. A filter has columns, values, =, !=, <, <=, >, >=, AND, OR, NOT and parentheses.',
  unclosed_text: "This string has no closing quote. Double a quote inside a string: ''.",
  quoted_column:
    "Double quotes are not supported. Put strings in '...' and write column names without quotes.",
  bad_number:
    'A number has digits and optionally a minus sign, decimals or an exponent: -1.5 or 2e3.',
  number_too_large: 'This number is too large.',
  bad_operator: 'The comparison operators are =, !=, <, <=, > and >=.',
  bad_name:
    'A column name consists of lower-case letters, digits and _, with one dot after a series.',
  expected_operand: 'A column, a string, a number, TRUE, FALSE or NULL was expected.',
  expected_term: 'A comparison or "(" was expected.',
  repeated_not: 'NOT can appear only once before a comparison or "(".',
  expected_operator:
    'One of =, !=, <, <=, > and >= was expected. IN, LIKE and functions are not supported.',
  expected_close: 'AND, OR or ")" was expected.',
  expected_end: 'AND, OR or the end was expected.',
  no_column: 'A comparison needs a column on at least one side.',
} as const

export type WhereSyntaxFault = keyof typeof WHERE_SYNTAX_MESSAGES

/** A syntax error in a filter (docs/contract/09-aggregate.md#where). */
export class WhereSyntaxError extends Error {
  readonly code: WhereSyntaxFault
  /** Position in characters from 0; the length of the text when it ends too early. */
  readonly position: number

  constructor(code: WhereSyntaxFault, position: number) {
    super(WHERE_SYNTAX_MESSAGES[code])
    this.name = 'WhereSyntaxError'
    this.code = code
    this.position = position
  }
}
