/** SQL: the number, but no less; null stays null, where `greatest` of the engine would leave it out. */
export function atLeast(number: string, least: number): string {
  return `if(${number} < ${least}, ${least}, ${number})`
}

/** SQL: the number, but no more; null stays null. */
export function atMost(number: string, most: number): string {
  return `if(${number} > ${most}, ${most}, ${number})`
}
