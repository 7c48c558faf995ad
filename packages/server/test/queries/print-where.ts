import type { WhereOperand, WherePredicate } from '../../../health/src/queries/where-ast.ts'

/** A filter as text that `parseWhere` reads as the same predicate. */
export function printWhere(predicate: WherePredicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.operands
        .map((operand) => {
          const needsParentheses = operand.kind === 'or' || operand.kind === predicate.kind
          return needsParentheses ? `(${printWhere(operand)})` : printWhere(operand)
        })
        .join(` ${predicate.kind} `)
    case 'not': {
      const { operand } = predicate
      return operand.kind === 'comparison'
        ? `not ${printWhere(operand)}`
        : `not (${printWhere(operand)})`
    }
    case 'comparison':
      return `${printOperand(predicate.left)} ${predicate.operator} ${printOperand(predicate.right)}`
  }
}

function printOperand(operand: WhereOperand): string {
  switch (operand.kind) {
    case 'column':
      return operand.resource === null ? operand.name : `${operand.resource}.${operand.name}`
    case 'text':
      return `'${operand.value.replaceAll("'", "''")}'`
    case 'number':
      return Object.is(operand.value, -0) ? '-0' : String(operand.value)
    case 'boolean':
      return String(operand.value)
    case 'null':
      return 'null'
  }
}

/** The predicate with every position 0, to compare what was read from different texts. */
export function withoutPositions(predicate: WherePredicate): WherePredicate {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { ...predicate, operands: predicate.operands.map(withoutPositions) }
    case 'not':
      return { ...predicate, operand: withoutPositions(predicate.operand) }
    case 'comparison':
      return {
        ...predicate,
        left: { ...predicate.left, position: 0 },
        right: { ...predicate.right, position: 0 },
        position: 0,
      }
  }
}
