// What values, units and intervals mean, for whoever changes what was read.
export { findPosition, interpret } from './values/interpretation.ts'
export { usesDecimalComma } from './values/number.ts'
export { type Position, positionOf, type Range } from './values/range-position.ts'
export { toUcum } from './values/unit.ts'
export { readValue } from './values/value.ts'
