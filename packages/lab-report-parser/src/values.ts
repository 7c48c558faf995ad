// Interpretation of values, units and intervals, for corrections of a reading.
export { findPosition, interpretResult } from './values/interpretation.ts'
export { usesDecimalComma } from './values/number.ts'
export { type Position, positionOf, type Range } from './values/range-position.ts'
export { toUcum } from './values/unit.ts'
export { readValue } from './values/value.ts'
