/** `1 message`, `1,204 messages`. @param many What several are called, if not the one with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
