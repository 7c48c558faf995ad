/** A parsed filter (docs/contract/09-aggregate.md#where). Positions count characters from 0. */
export type WherePredicate =
  | { kind: 'and' | 'or'; operands: readonly WherePredicate[] }
  | { kind: 'not'; operand: WherePredicate }
  | WhereComparison

export type WhereOperator = '>' | '>=' | '<' | '<=' | '=' | '!='

export interface WhereComparison {
  kind: 'comparison'
  operator: WhereOperator
  left: WhereOperand
  right: WhereOperand
  /** Position of the operator. */
  position: number
}

export type WhereOperand =
  | WhereColumn
  | { kind: 'text'; value: string; position: number }
  | { kind: 'number'; value: number; position: number }
  | { kind: 'boolean'; value: boolean; position: number }
  | { kind: 'null'; position: number }

export interface WhereColumn {
  kind: 'column'
  /** Series before the dot, or null. */
  resource: string | null
  /** Lower case, as written. */
  name: string
  position: number
}
