/** Numbers between two bounds; a bound that is null is open. */
export interface Range {
  low: number | null
  high: number | null
  isLowInclusive: boolean
  isHighInclusive: boolean
}

/** Position of a value; null where it is undecided. */
export interface Position {
  isAboveMax: boolean | null
  isBelowMin: boolean | null
}

/**
 * Returns the position of a value against a reference range; a number is a range of one point. For
 * `<5` only a part may be known: it is not above a maximum of 10, but may be below a minimum of 1.
 */
export function positionOf(value: Range, reference: Range): Position {
  return {
    isAboveMax: isAbove(value, reference),
    isBelowMin: isAbove(mirrorRange(value), mirrorRange(reference)),
  }
}

/** Returns the mirrored range, in which below is above. */
function mirrorRange(range: Range): Range {
  return {
    low: range.high === null ? null : -range.high,
    high: range.low === null ? null : -range.low,
    isLowInclusive: range.isHighInclusive,
    isHighInclusive: range.isLowInclusive,
  }
}

function isAbove(value: Range, { high, isHighInclusive }: Range): boolean | null {
  if (high === null) return null
  const isBoundOfBoth = value.isLowInclusive && isHighInclusive
  if (value.low !== null && (value.low > high || (value.low === high && !isBoundOfBoth)))
    return true
  const mayTouch = isHighInclusive || !value.isHighInclusive
  const isWithin = value.high !== null && (value.high < high || (value.high === high && mayTouch))
  return isWithin ? false : null
}
