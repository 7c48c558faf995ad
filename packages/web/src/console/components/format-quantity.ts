/**
 * Formats a count with its noun: `1 message`, `1,204 messages`. @param many The plural, if it is
 * not the singular with an s.
 */
export const formatQuantity = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
