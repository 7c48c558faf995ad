// What values, units and intervals mean, for whoever changes what was read.
export { interpret, positionOf } from './values/interpretation.ts'
export { usesDecimalComma } from './values/number.ts'
export { toUcum } from './values/unit.ts'
export { readValue } from './values/value.ts'
